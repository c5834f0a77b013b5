/*
 * Walks that remember where they went: what a witness is made of.
 *
 * A walk is a chain of edges, each from a record of one thread to a later record of another (or of
 * the same).  Walks share their parts: a node is a part, counted by those who refer to it.
 */
#ifndef GRAPH_WALKS_H
#define GRAPH_WALKS_H

#include "base/number.h"

/* A record on a walk. */
struct walk_point {
    uint64_t position, place;
    uint32_t thread;
    int64_t local_ticks, x;
};

/* An edge: g[from.thread] - g[to.thread] <= to.x - from.x (+ 2 delta). */
struct walk_edge {
    struct walk_point from, to;
};

struct walk_node;

/* A new reference to: the start of an edge at a record; an open walk (one that ends in the start of
 * an edge) closed at a record; a closed walk followed by another of either kind.  NULL on no
 * memory. */
struct walk_node *walk_start(const struct walk_point *from);
struct walk_node *walk_end(struct walk_node *open, const struct walk_point *to);
struct walk_node *walk_join(struct walk_node *closed, struct walk_node *next);

/* Take another reference, or give one up (NULL is accepted). */
struct walk_node *walk_keep(struct walk_node *node);
void walk_drop(struct walk_node *node);

/* The edges of a closed walk in order; the caller frees *edges. */
csy_status walk_edges(const struct walk_node *node, struct walk_edge **edges, size_t *n,
                      csy_error *error);

/* Of a walk that returns to its first thread, the simple cycle that asks for most: the greatest
 * -weight / length.  Moves it to the front of edges and returns its length.  O(n log n). */
csy_status walk_worst_cycle(struct walk_edge *edges, size_t n, size_t *length, csy_error *error);

/* The sum of the weights of n edges. */
int128 walk_weight(const struct walk_edge *edges, size_t n);

#endif
