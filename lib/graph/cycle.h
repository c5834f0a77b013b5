/* Finds a cycle of contradictory constraints.
 *
 * Offsets g that meet all constraints g[s] - g[t] <= w(s,t) + added exist if and only if there is
 * no cycle of edges with a negative sum. The Bellman-Ford algorithm finds such a cycle, or proves
 * that there is none. */
#ifndef GRAPH_CYCLE_H
#define GRAPH_CYCLE_H

#include "graph/constraints.h"

/* A cycle threads[0] -> threads[1] -> ... -> threads[0] without repeated threads, or length 0. */
struct cycle {
    size_t length;
    uint32_t *threads;
};

/* Find a cycle of edges with a negative sum, after `added` >= 0 is added to each. Edges from a
 * thread to itself are used only if with_itself is true. The same input always gives the same
 * cycle. The caller calls cycle_fini. Time: O(threads^2) for each pass; usually few passes. */
csy_status cycle_find(const struct constraints *c, csy_fraction added, bool with_itself,
                      struct cycle *out, csy_error *error);
void cycle_fini(struct cycle *cycle);

/* Find a cycle in `parents`, where UINT32_MAX is no parent. Stores it in `cycle`, each vertex after
 * its parent, and returns its length, or 0. `cycle` and `seen` have room for n vertices. */
size_t cycle_of_parents(const uint32_t *parents, size_t n, uint32_t *seen, uint32_t *cycle);

#endif
