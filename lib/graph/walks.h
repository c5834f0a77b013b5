/* Paths ("walks") as arrays of edges, each from a record to a later one of any thread. */
#ifndef GRAPH_WALKS_H
#define GRAPH_WALKS_H

#include "order/sink.h"

/* Find the simple cycle that needs the greatest 2 delta (-weight / number of edges) in a closed
 * path of n edges. Move it to the front, and set *length. Time: O(n log n). */
csy_status walk_worst_cycle(struct edge *edges, size_t n, size_t *length, csy_error *error);

int128 walk_weight(const struct edge *edges, size_t n);

#endif
