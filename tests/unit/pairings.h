/* Graphs for graph/reduce.h, as lists of edges (pairs): random graphs, grids, and stars. */
#ifndef UNIT_PAIRINGS_H
#define UNIT_PAIRINGS_H

#include "support.h"

#include "graph/reduce.h"

/* Draw a graph of 1 to n vertices with few or many edges. Weights are at least 0. */
void pairs_draw(struct random *r, struct pairs *pairs, size_t n);

/* Connect each vertex of a grid with its neighbours, in both directions. */
void pairs_grid(struct pairs *pairs, size_t rows, size_t columns);

/* Connect each of n vertices with each of `middles` other vertices, in both directions. */
void pairs_star(struct pairs *pairs, size_t n, size_t middles);

/* Returns the weights of shortest paths, by the Floyd-Warshall algorithm. Element s * nvertices + t
 * is for the path from s to t. The caller frees the array. */
int64_t *pairs_close(const struct pairs *pairs);

#endif
