/* Finds shortest paths by Dijkstra's algorithm, and components by Tarjan's. */
#include "graph/search.h"

#include "base/array.h"
#include "base/error.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

void search_fini(struct search_graph *graph)
{
    FREE_ALL(graph->first_into, graph->into);
    *graph = (struct search_graph){0};
}

csy_status search_init(struct search_graph *graph, const struct pairs *pairs, const int64_t *weight,
                       csy_error *error)
{
    size_t n = pairs->nvertices;
    *graph = (struct search_graph){.pairs = pairs, .weight = weight};
    graph->first_into = calloc(n + 2, sizeof *graph->first_into);
    graph->into = malloc((pairs->count + 1) * sizeof *graph->into);
    if (!graph->first_into || !graph->into) {
        search_fini(graph);
        return error_memory(error);
    }
    for (size_t i = 0; i < pairs->count; i++)
        graph->first_into[pairs->items[i].t + 2]++;
    for (size_t v = 0; v < n; v++)
        graph->first_into[v + 2] += graph->first_into[v + 1];
    for (size_t i = 0; i < pairs->count; i++)
        graph->into[graph->first_into[pairs->items[i].t + 1]++] = (uint32_t)i;
    return CSY_OK;
}

/* A heap of vertices. The vertex with the least value is on top. */
struct heap {
    int64_t *values;
    uint32_t *items, *at; /* items: the vertices in the heap; at[v]: index of vertex v in `items`,
                           * or NONE */
    size_t count;
};

static void put(struct heap *heap, size_t i, uint32_t v)
{
    heap->items[i] = v;
    heap->at[v] = (uint32_t)i;
}

static void rise(struct heap *heap, size_t i)
{
    uint32_t v = heap->items[i];
    for (; i > 0 && heap->values[v] < heap->values[heap->items[(i - 1) / 2]]; i = (i - 1) / 2)
        put(heap, i, heap->items[(i - 1) / 2]);
    put(heap, i, v);
}

static uint32_t take_least(struct heap *heap)
{
    uint32_t *items = heap->items, least = items[0], v = items[--heap->count];
    size_t i = 0;
    for (size_t child; (child = 2 * i + 1) < heap->count; i = child) {
        if (child + 1 < heap->count && heap->values[items[child + 1]] < heap->values[items[child]])
            child++;
        if (heap->values[items[child]] >= heap->values[v])
            break;
        put(heap, i, items[child]);
    }
    if (heap->count > 0)
        put(heap, i, v);
    heap->at[least] = NONE;
    return least;
}

/* Do the work of search_from (to is false) or search_to (to is true). The function writes to
 * values: NOLINTNEXTLINE(readability-non-const-parameter) */
static csy_status search(int64_t *values, const struct search_graph *graph,
                         const uint32_t *component, bool to, csy_error *error)
{
    const struct pairs *pairs = graph->pairs;
    const size_t *first = to ? graph->first_into : pairs->first;
    size_t n = pairs->nvertices;
    bool fits = true;
    struct heap heap = {.values = values, .items = malloc(2 * (n + 1) * sizeof *heap.items)};
    if (!heap.items)
        return error_memory(error);
    heap.at = heap.items + n + 1;
    for (uint32_t v = 0; v < n; v++) {
        heap.at[v] = NONE;
        if (values[v] >= WALK_FAR)
            continue;
        put(&heap, heap.count++, v);
        rise(&heap, heap.at[v]);
    }
    while (heap.count > 0 && fits) {
        uint32_t v = take_least(&heap);
        for (size_t k = first[v]; k < first[v + 1]; k++) {
            size_t i = to ? graph->into[k] : k;
            uint32_t other = to ? pairs->items[i].s : pairs->items[i].t;
            int64_t value = values[v] + graph->weight[i];
            if ((component && component[other] != component[v]) || value >= values[other])
                continue;
            values[other] = value;
            if (heap.at[other] == NONE)
                put(&heap, heap.count++, other);
            rise(&heap, heap.at[other]);
        }
        fits = values[v] <= 2 * WALK_MAX;
    }
    free(heap.items);
    return fits ? CSY_OK : walk_range_error(error);
}

csy_status search_from(const struct search_graph *graph, const uint32_t *component, int64_t *values,
                       csy_error *error)
{
    return search(values, graph, component, false, error);
}

csy_status search_to(const struct search_graph *graph, const uint32_t *component, int64_t *values,
                     csy_error *error)
{
    return search(values, graph, component, true, error);
}

/* --- Components ------------------------------------------------------------------------------- */

csy_status components_find(size_t n, const size_t *start, const uint32_t *to, uint32_t *component,
                           size_t *count, csy_error *error)
{
    /* next[v]: index in `to` of the next edge of vertex v. met[v]: number of vertices visited
     * before v. low[v]: least `met` of the vertices that were reached from v. path: stack of the
     * vertices on the current path. open: stack of visited vertices without a known component. */
    size_t *next = malloc((n + 1) * sizeof *next), npath = 0, nopen = 0, nmet = 0;
    uint32_t *met = malloc((4 * n + 1) * sizeof *met);
    bool good = next && met;
    *count = 0;
    for (size_t v = 0; good && v < n; v++) {
        next[v] = start[v];
        met[v] = component[v] = NONE;
    }
    uint32_t *low = good ? met + n : NULL, *path = good ? low + n : NULL;
    uint32_t *open = good ? path + n : NULL;
    for (uint32_t v = 0; good && v < n; v++) {
        uint32_t found = met[v] == NONE ? v : NONE;
        while (found != NONE || npath > 0) {
            if (found != NONE) {
                met[found] = low[found] = (uint32_t)nmet++;
                path[npath++] = open[nopen++] = found;
            }
            uint32_t at = path[npath - 1];
            found = NONE;
            if (next[at] < start[at + 1]) {
                uint32_t end = to[next[at]++];
                if (met[end] == NONE)
                    found = end;
                else if (component[end] == NONE && met[end] < low[at])
                    low[at] = met[end];
                continue;
            }
            npath--;
            if (npath > 0 && low[at] < low[path[npath - 1]])
                low[path[npath - 1]] = low[at];
            if (low[at] != met[at])
                continue;
            do
                component[open[--nopen]] = (uint32_t)*count;
            while (open[nopen] != at);
            ++*count;
        }
    }
    FREE_ALL(next, met);
    return good ? CSY_OK : error_memory(error);
}
