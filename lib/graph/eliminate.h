/* Converts pairs to eliminations (graph/eliminations.h). The order keeps fronts small
 * (graph/mindegree.h).
 *
 * Each front is a matrix, assembled from the fronts that were passed on to it and from its own
 * vertex's pairs. This is the multifrontal method of I. Duff and J. Reid, 1983, applied to
 * walks. */
#ifndef GRAPH_ELIMINATE_H
#define GRAPH_ELIMINATE_H

#include "graph/eliminations.h"
#include "graph/mindegree.h"

/* Eliminate all vertices. weight[i] is the weight of pair i relative to potentials
 * (mincycle_labels) plus 2 delta, which is >= 0. Hubs become threads, too, numbered after the
 * clocks. Returns CSY_INPUT if a walk overflows. Time: O(work). Memory: 20 bytes for each entry,
 * and 8 for each cell of order->cells_most. */
csy_status eliminate_pairs(const struct pairs *pairs, const int64_t *weight,
                           const struct mindegree *order, struct eliminations *out,
                           csy_error *error);

#endif
