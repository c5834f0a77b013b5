/* Converts pairs of clocks (graph/reduce.h) to eliminations (graph/eliminations.h), in an order
 * that makes them small (graph/mindegree.h).
 *
 * The front of a vertex is the set of its neighbours when it is eliminated. The elimination needs
 * the walks between the front and the vertex as a matrix. It is made of the matrices that are left
 * from earlier eliminations, and of the vertex's own pairs. This is the multifrontal method of I.
 * Duff and J. Reid, 1983, with lengths of shortest walks instead of numbers. */
#ifndef GRAPH_ELIMINATE_H
#define GRAPH_ELIMINATE_H

#include "graph/eliminations.h"
#include "graph/mindegree.h"

/* Eliminate all vertices. weight[i] is the weight of pair i plus 2 delta, made >= 0 by the
 * potentials of mincycle_labels. Hubs become threads after the clocks. CSY_INPUT: overflow. Time:
 * O(order->work). Memory: 20 bytes for each entry, and 8 for each of order->cells_most. */
csy_status eliminate_pairs(const struct pairs *pairs, const int64_t *weight,
                           const struct mindegree *order, struct eliminations *out,
                           csy_error *error);

#endif
