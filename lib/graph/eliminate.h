/* Pairs -> eliminations (graph/eliminations.h), by eliminating one vertex after another in an order
 * that keeps fronts small (graph/mindegree.h).
 *
 * Each front is a matrix, assembled from the fronts passed on to it and the pairs of its own
 * vertex: the multifrontal method of I. Duff and J. Reid, 1983, applied to walks. */
#ifndef GRAPH_ELIMINATE_H
#define GRAPH_ELIMINATE_H

#include "graph/eliminations.h"
#include "graph/mindegree.h"

/* Eliminate all vertices. Weights, weight[i] of the i-th pair, are >= 0: between potentials
 * (mincycle_labels) and with 2 delta added. Vertices that are not clocks are threads of the
 * eliminations, too, numbered after the clocks. CSY_INPUT if a walk overflows. O(work) time, 20
 * bytes for each entry, and 8 bytes for each of cells_most. */
csy_status eliminate_pairs(const struct pairs *pairs, const int64_t *weight,
                           const struct mindegree *order, struct eliminations *out,
                           csy_error *error);

#endif
