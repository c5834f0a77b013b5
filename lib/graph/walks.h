/* Walks as chains of edges. An edge leads from a record to a later record of any thread. */
#ifndef GRAPH_WALKS_H
#define GRAPH_WALKS_H

#include "order/sink.h"

/* Find the simple cycle in a closed walk that needs the greatest 2 delta, -weight / length. The
 * cycle is moved to the front of `edges`, and *length becomes its length. Time: O(n log n). */
csy_status walk_worst_cycle(struct edge *edges, size_t n, size_t *length, csy_error *error);

int128 walk_weight(const struct edge *edges, size_t n);

#endif
