/* Strongly connected components, by R. Tarjan 1972. */
#ifndef GRAPH_COMPONENTS_H
#define GRAPH_COMPONENTS_H

#include <cellsync/cellsync.h>

/* Of n vertices, the edges of v leading to to[start[v]], ..., to[start[v + 1] - 1]: component[v] of
 * each, *count of them, numbered such that each edge leads to the same or a lesser one.  O(n +
 * edges) time, 24 bytes a vertex. */
csy_status components_find(size_t n, const size_t *start, const uint32_t *to, uint32_t *component,
                           size_t *count, csy_error *error);

#endif
