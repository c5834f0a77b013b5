/* Shortest paths along pairs, which are constraints between clocks (graph/reduce.h), by Dijkstra's
 * algorithm. This engine computes the bounds between threads if elimination would take too long, or
 * if only a few bounds are needed.
 *
 * The algorithm needs lengths >= 0. So the length of a pair is its weight, plus twice the timestamp
 * error, plus the difference of two numbers that mincycle_labels has computed for its ends. */
#ifndef GRAPH_SEARCH_H
#define GRAPH_SEARCH_H

#include "graph/minplus.h"
#include "graph/reduce.h"

struct search_graph {
    const struct pairs *pairs;
    const int64_t *weight; /* weight of each pair, at least 0 */
    /* for each vertex t: index in `into` of the first pair that ends at t; nvertices + 1 entries */
    size_t *first_into;
    uint32_t *into; /* indexes of all pairs, sorted by their members t, then by s */
};

/* Prepare searches for shortest paths. weight[i] >= 0 is the length of pair i. `pairs` and `weight`
 * must outlive the searches. Time: O(pairs). Memory: 4 bytes for each pair. */
csy_status search_init(struct search_graph *graph, const struct pairs *pairs, const int64_t *weight,
                       csy_error *error);
void search_fini(struct search_graph *graph);

/* search_from replaces values[t] by the minimum over all vertices s of values[s] + length of the
 * shortest path from s to t; search_to uses the path from t to s. Values must be WALK_INF or within
 * +-WALK_MAX. If `component` is not NULL, only pairs within a component are used. Return CSY_INPUT
 * if a value overflows. Time: O(pairs log vertices). Memory: 16 bytes for each vertex. */
csy_status search_from(const struct search_graph *graph, const uint32_t *component, int64_t *values,
                       csy_error *error);
csy_status search_to(const struct search_graph *graph, const uint32_t *component, int64_t *values,
                     csy_error *error);

/* Find the strongly connected components of a graph of n vertices by the algorithm of R. Tarjan,
 * 1972. The edges of vertex v lead to to[start[v]], ..., to[start[v + 1] - 1]. component[v] becomes
 * the number of v's component, below *count; no edge leads to a higher number. Time: O(n + edges).
 * Memory: 24 bytes for each vertex. */
csy_status components_find(size_t n, const size_t *start, const uint32_t *to, uint32_t *component,
                           size_t *count, csy_error *error);

#endif
