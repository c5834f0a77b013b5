/* Shortest walks along pairs (graph/reduce.h), by Dijkstra's algorithm. This engine computes rows
 * of bounds if elimination is not worthwhile, or only a few vertices matter.
 *
 * Weights are relative to potentials (mincycle_labels) and contain 2 delta, so they are >= 0. */
#ifndef GRAPH_SEARCH_H
#define GRAPH_SEARCH_H

#include "graph/minplus.h"
#include "graph/reduce.h"

struct search_graph {
    const struct pairs *pairs;
    const int64_t *weight; /* indexed by pair */
    /* for each vertex: index in `into` of its first pair; nvertices + 1 entries */
    size_t *first_into;
    uint32_t *into; /* indexes of pairs, sorted by the vertices t, then s */
};

/* Prepare a search. `pairs` and `weight` must outlive it. Time: O(pairs). Memory: 4 bytes for each
 * pair. */
csy_status search_init(struct search_graph *graph, const struct pairs *pairs, const int64_t *weight,
                       csy_error *error);
void search_fini(struct search_graph *graph);

/* Replace the values of all vertices, which are WALK_INF or within +-WALK_MAX. search_from sets
 * values[t] = min over s of values[s] + walk(s,t); search_to sets values[t] = min over s of
 * walk(t,s) + values[s]. Unless `component` is NULL, only pairs within components are used. Returns
 * CSY_INPUT if a value overflows. Time: O(pairs log vertices). Memory: 16 bytes a vertex. */
csy_status search_from(const struct search_graph *graph, const uint32_t *component, int64_t *values,
                       csy_error *error);
csy_status search_to(const struct search_graph *graph, const uint32_t *component, int64_t *values,
                     csy_error *error);

#endif
