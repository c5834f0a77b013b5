/* Pairs of vertices (graph/reduce.h) that are drawn, or of a known shape. */
#ifndef UNIT_PAIRINGS_H
#define UNIT_PAIRINGS_H

#include "support.h"

#include "graph/reduce.h"

/* Up to n vertices, some of them hubs, with weights >= 0, few or many. */
void pairs_draw(struct random *r, struct pairs *pairs, size_t n);

/* Each vertex and its neighbours in a grid, both ways. */
void pairs_grid(struct pairs *pairs, size_t rows, size_t columns);

/* n vertices, each with so many others besides that all have, both ways. */
void pairs_star(struct pairs *pairs, size_t n, size_t middles);

/* walks[s * nvertices + t], by Floyd and Warshall; the caller frees it. */
int64_t *pairs_close(const struct pairs *pairs);

#endif
