/*
 * Walks, edge by edge: what a witness is made of.
 *
 * A walk is a chain of edges, each from a record of one thread to a later record of another (or of
 * the same).
 */
#ifndef GRAPH_WALKS_H
#define GRAPH_WALKS_H

#include "order/sink.h"

/* Of a walk that returns to its first thread, the simple cycle that asks for most: the greatest
 * -weight / length.  Moves it to the front of edges and returns its length.  O(n log n). */
csy_status walk_worst_cycle(struct edge *edges, size_t n, size_t *length, csy_error *error);

/* The sum of the weights of n edges. */
int128 walk_weight(const struct edge *edges, size_t n);

#endif
