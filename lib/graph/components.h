/* Strongly connected components, by R. Tarjan 1972. */
#ifndef GRAPH_COMPONENTS_H
#define GRAPH_COMPONENTS_H

#include <cellsync/cellsync.h>

/* For n vertices, where edges from v lead to to[start[v]], ..., to[start[v + 1] - 1]: component[v]
 * is the component of v, and *count their number. Each edge leads to the same component or to one
 * with a lower number. O(n + edges) time, 24 bytes for each vertex. */
csy_status components_find(size_t n, const size_t *start, const uint32_t *to, uint32_t *component,
                           size_t *count, csy_error *error);

#endif
