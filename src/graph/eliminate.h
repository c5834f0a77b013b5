/*
 * Pairs -> eliminations (graph/eliminations.h), by eliminating one vertex after another in an order
 * that keeps fronts small (graph/mindegree.h).  What asks questions of bounds takes them in any
 * order.
 *
 * Each front is a matrix, made of those that are handed on to it and of the pairs of its own
 * vertex: the multifrontal method of I. Duff and J. Reid, 1983, on walks.
 */
#ifndef GRAPH_ELIMINATE_H
#define GRAPH_ELIMINATE_H

#include "graph/eliminations.h"
#include "graph/mindegree.h"

/* Eliminate them all.  Weights are >= 0, between potentials (mincycle_labels) and with 2 delta
 * added: weight[i] of the i-th pair.  Vertices that are no clocks are threads of the records, too,
 * numbered after these.  CSY_INPUT where a walk leaves the range of the arithmetic.  O(work) time,
 * 20 bytes an entry, and 8 bytes for each of cells_most. */
csy_status eliminate_pairs(const struct pairs *pairs, const int64_t *weight,
                           const struct mindegree *order, struct eliminations *out,
                           csy_error *error);

#endif
