/* Converts walks along pairs of a partial order to constraints between records. */
#include "sync/partial/partial_walks.h"

#include "base/error.h"
#include "graph/search.h"

#include <stdlib.h>

#define NO_PAIR SIZE_MAX

/* The first point after a flush, which limits how late it was; without one, the flush. O(edges). */
static uint32_t after_flush(const struct points *points, uint32_t flush)
{
    for (size_t i = 0; i < points->nedges; i++)
        if (points->edges[i].from == flush)
            return points->edges[i].to;
    return flush;
}

/* Describe a point, as an end of a constraint, at lo or hi. A flush has the place of the last
 * record of its block. */
static struct point point_of(const struct csy_sync *sync, const struct points *points, uint32_t p,
                             bool lo)
{
    const struct instant *item = &points->items[p];
    int64_t x = lo ? item->lo : item->hi;
    if (!lo && item->kind == INSTANT_FLUSH)
        item = &points->items[after_flush(points, p)];
    int128 local = x - sync->survey.rough.offset[item->clock];
    return (struct point){item->position, item->place, item->clock, (int64_t)local, x};
}

csy_status partial_edges(const struct csy_sync *sync, const size_t *walk, size_t n,
                         struct edge **edges, size_t *count, csy_error *error)
{
    return pairs_edges(sync, partial_points(sync->partial), &sync->partial->pairs, walk, n, edges,
                       count, error);
}

csy_status pairs_edges(const struct csy_sync *sync, const struct points *points,
                       const struct pairs *pairs, const size_t *walk, size_t n, struct edge **edges,
                       size_t *count, csy_error *error)
{
    size_t start = 0;
    struct edge *made = calloc(n + 1, sizeof *made);
    if (!made)
        return error_memory(error);
    *count = 0;
    while (start < n && pairs->items[walk[start]].s >= pairs->nclocks)
        start++;
    for (size_t i = 0; i < n; i++) {
        const struct clock_pair *pair = &pairs->items[walk[(start + i) % n]];
        struct edge *edge = &made[*count];
        if (pair->s < pairs->nclocks) {
            edge->from = point_of(sync, points, edge->from_point = pair->from, true);
            edge->from_begin = points->items[pair->from].kind == INSTANT_BEGIN;
        }
        edge->latency_ticks -= pair->weight;
        if (pair->t >= pairs->nclocks)
            continue;
        edge->to = point_of(sync, points, edge->to_point = pair->to, false);
        edge->to_begin = points->items[pair->to].kind == INSTANT_BEGIN;
        edge->latency_ticks += edge->to.x - edge->from.x;
        ++*count;
    }
    *edges = made;
    return CSY_OK;
}

/* Search breadth first along pairs that are tight for these distances, until `to` is reached.
 * parent[v] becomes the pair that leads to v. */
static void search_tight(const struct partial *partial, const int64_t *distance, uint32_t from,
                         uint32_t to, size_t *parent, uint32_t *queue)
{
    const struct pairs *pairs = &partial->pairs;
    size_t n = 0;
    queue[n++] = from;
    for (size_t i = 0; i < n && parent[to] == NO_PAIR; i++)
        for (size_t k = pairs->first[queue[i]]; k < pairs->first[queue[i] + 1]; k++) {
            uint32_t next = pairs->items[k].t;
            if (next == from || parent[next] != NO_PAIR ||
                distance[queue[i]] + partial->weight[k] != distance[next])
                continue;
            parent[next] = k;
            queue[n++] = next;
        }
}

/* Find the distances of all vertices from the vertex `from`. */
static csy_status measure(const struct partial *partial, uint32_t from, int64_t *distance,
                          csy_error *error)
{
    struct search_graph graph;
    csy_status status = search_init(&graph, &partial->pairs, partial->weight, error);
    for (size_t v = 0; v < partial->pairs.nvertices; v++)
        distance[v] = v == from ? 0 : WALK_INF;
    if (!status)
        status = search_from(&graph, NULL, distance, error);
    search_fini(&graph);
    return status;
}

csy_status partial_walk(const struct csy_sync *sync, uint32_t from, uint32_t to,
                        struct edge **edges, size_t *count, csy_error *error)
{
    const struct partial *partial = sync->partial;
    size_t n = partial->pairs.nvertices, length = 0;
    int64_t *distance = malloc((n + 1) * sizeof *distance);
    size_t *parent = malloc((n + 1) * sizeof *parent);
    uint32_t *queue = malloc((n + 1) * sizeof *queue);
    csy_status status =
        distance && parent && queue ? measure(partial, from, distance, error) : error_memory(error);
    *edges = NULL;
    *count = 0;
    if (!status && distance[to] < WALK_FAR) {
        for (size_t v = 0; v < n; v++)
            parent[v] = NO_PAIR;
        search_tight(partial, distance, from, to, parent, queue);
        for (uint32_t v = to; v != from; v = partial->pairs.items[parent[v]].s)
            length++;
        size_t *walk = calloc(length + 1, sizeof *walk), i = length;
        for (uint32_t v = to; walk && v != from; v = partial->pairs.items[parent[v]].s)
            walk[--i] = parent[v];
        status =
            walk ? partial_edges(sync, walk, length, edges, count, error) : error_memory(error);
        free(walk);
    }
    free(distance);
    free(parent);
    free(queue);
    return status;
}
