/* Finds strongly connected components by the algorithm of R. Tarjan, 1972. */
#ifndef GRAPH_COMPONENTS_H
#define GRAPH_COMPONENTS_H

#include <cellsync/cellsync.h>

/* Find the components of a graph of n vertices. The edges of vertex v lead to to[start[v]], ...,
 * to[start[v + 1] - 1]. component[v] becomes the number of v's component, below *count; no edge
 * leads to a higher number. Time: O(n + edges). Memory: 24 bytes for each vertex. */
csy_status components_find(size_t n, const size_t *start, const uint32_t *to, uint32_t *component,
                           size_t *count, csy_error *error);

#endif
