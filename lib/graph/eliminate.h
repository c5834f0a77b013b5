/* Turns pairs into eliminations (graph/eliminations.h), by eliminating one vertex after another in
 * an order that keeps fronts small (graph/mindegree.h).
 *
 * Each front is a matrix. It is assembled from the fronts passed on to it and from the pairs of its
 * own vertex. This is the multifrontal method of I. Duff and J. Reid, 1983, applied to walks. */
#ifndef GRAPH_ELIMINATE_H
#define GRAPH_ELIMINATE_H

#include "graph/eliminations.h"
#include "graph/mindegree.h"

/* Eliminate all vertices. weight[i] is the weight of the i-th pair, relative to potentials
 * (mincycle_labels) and with 2 delta added, so it is >= 0. Vertices that are not clocks are also
 * threads of the eliminations, numbered after the clocks. CSY_INPUT if a walk overflows. O(work)
 * time; 20 bytes for each entry, and 8 bytes for each of order->cells_most. */
csy_status eliminate_pairs(const struct pairs *pairs, const int64_t *weight,
                           const struct mindegree *order, struct eliminations *out,
                           csy_error *error);

#endif
