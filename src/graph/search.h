/*
 * Shortest walks along pairs (graph/reduce.h) by E. Dijkstra's algorithm, 1959: rows of bounds
 * where eliminating does not pay, and what is asked of a few vertices only.
 *
 * Weights are >= 0, between potentials (mincycle_labels) and with 2 delta added.
 */
#ifndef GRAPH_SEARCH_H
#define GRAPH_SEARCH_H

#include "graph/minplus.h"
#include "graph/reduce.h"

struct search_graph {
    const struct pairs *pairs;
    const int64_t *weight; /* by pair */
    size_t *first_into;    /* by vertex, and one more: where the pairs into it begin in */
    uint32_t *into;        /* indexes of pairs, by t, then by s */
};

/* pairs and weights must stay.  4 bytes a pair; O(pairs). */
csy_status search_init(struct search_graph *graph, const struct pairs *pairs, const int64_t *weight,
                       csy_error *error);
void search_fini(struct search_graph *graph);

/* Replace nvertices values, WALK_INF or within +-WALK_MAX: from, values[t] = min over s of
 * values[s] + walk(s,t); to, values[t] = min over s of walk(t,s) + values[s].  Along pairs of one
 * component only, where component is not NULL.  CSY_INPUT where one leaves the range of the
 * arithmetic. O(pairs log vertices), 16 bytes a vertex. */
csy_status search_from(const struct search_graph *graph, const uint32_t *component, int64_t *values,
                       csy_error *error);
csy_status search_to(const struct search_graph *graph, const uint32_t *component, int64_t *values,
                     csy_error *error);

#endif
