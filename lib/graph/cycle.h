/* Feasibility: finds a cycle of contradictory constraints.
 *
 * Offsets g that meet g[s] - g[t] <= w(s,t) + added exist if and only if no cycle of edges has a
 * negative sum. The Bellman-Ford algorithm finds such a cycle or proves that none exists. */
#ifndef GRAPH_CYCLE_H
#define GRAPH_CYCLE_H

#include "graph/constraints.h"

/* A simple cycle threads[0] -> threads[1] -> ... -> threads[0]. Its length is 0 if none exists. */
struct cycle {
    size_t length;
    uint32_t *threads;
};

/* Find a cycle that is negative if `added` (>= 0, exact) is added to every edge. Edges from a
 * thread to itself are used only if with_itself is true. The result is deterministic. The caller
 * calls cycle_fini. Time: O(T^2) for each pass; few passes, at worst T. */
csy_status cycle_find(const struct constraints *c, csy_fraction added, bool with_itself,
                      struct cycle *out, csy_error *error);
void cycle_fini(struct cycle *cycle);

#endif
