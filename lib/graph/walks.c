/* Walks, edge by edge. */
#include "graph/walks.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

int128 walk_weight(const struct edge *edges, size_t n)
{
    int128 sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (int128)edges[i].to.x - edges[i].from.x - edges[i].latency_ticks;
    return sum;
}

/* Where a thread is on the path so far. Places are sorted by thread. */
struct place {
    uint32_t thread;
    size_t at; /* index of the edge that leaves it, or SIZE_MAX */
};

static int compare_places(const void *a, const void *b)
{
    uint32_t x = ((const struct place *)a)->thread, y = ((const struct place *)b)->thread;
    return (x > y) - (x < y);
}

static struct place *find_place(struct place *places, size_t n, uint32_t thread)
{
    struct place key = {thread, 0};
    return bsearch(&key, places, n, sizeof key, compare_places);
}

struct worst {
    struct edge *edges;
    size_t length;
    int128 weight;
};

static void consider(struct worst *worst, const struct edge *cycle, size_t n)
{
    int128 weight = walk_weight(cycle, n);
    if (worst->length && weight * (int128)worst->length >= worst->weight * (int128)n)
        return;
    memcpy(worst->edges, cycle, n * sizeof *cycle);
    worst->length = n;
    worst->weight = weight;
}

/* Follow the edges. When a thread occurs again, consider and remove the cycle that closes there. */
static void cut_cycles(const struct edge *edges, size_t n, struct edge *path, struct place *places,
                       struct worst *worst)
{
    size_t length = 0;
    for (size_t i = 0; i < n; i++) {
        find_place(places, n, edges[i].from.thread)->at = length;
        path[length++] = edges[i];
        struct place *met = find_place(places, n, edges[i].to.thread);
        if (met->at == SIZE_MAX)
            continue;
        size_t start = met->at;
        consider(worst, path + start, length - start);
        for (size_t k = start; k < length; k++)
            find_place(places, n, path[k].from.thread)->at = SIZE_MAX;
        length = start;
    }
}

csy_status walk_worst_cycle(struct edge *edges, size_t n, size_t *length, csy_error *error)
{
    struct worst worst = {malloc(n * sizeof *worst.edges), 0, 0};
    struct edge *path = malloc(n * sizeof *path);
    struct place *places = malloc(n * sizeof *places);
    csy_status status = CSY_OK;
    if (!worst.edges || !path || !places) {
        status = error_memory(error);
    } else {
        for (size_t i = 0; i < n; i++)
            places[i] = (struct place){edges[i].from.thread, SIZE_MAX};
        qsort(places, n, sizeof *places, compare_places);
        cut_cycles(edges, n, path, places, &worst);
        memcpy(edges, worst.edges, worst.length * sizeof *edges);
        *length = worst.length;
    }
    free(worst.edges);
    free(path);
    free(places);
    return status;
}
