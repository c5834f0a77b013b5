/*
 * Feasibility: is there a cycle whose constraints contradict one another?
 *
 * Offsets g that satisfy g[s] - g[t] <= w(s,t) + added exist exactly when no cycle of edges has a
 * negative sum.  Bellman and Ford's search finds such a cycle or shows that there is none.
 */
#ifndef GRAPH_CYCLE_H
#define GRAPH_CYCLE_H

#include "graph/constraints.h"

/* A simple cycle threads[0] -> threads[1] -> ... -> threads[0]; length 0: there is none. */
struct cycle {
    size_t length;
    uint32_t *threads;
};

/* Look for a cycle that is negative with `added` (>= 0, exact) on every edge; where with_itself is
 * set, an edge from a thread to itself counts.  Deterministic.  O(T^2) a pass; a feasible graph
 * rarely needs more than a few, T at the worst.  The caller frees with cycle_fini. */
csy_status cycle_find(const struct constraints *c, csy_fraction added, bool with_itself,
                      struct cycle *out, csy_error *error);
void cycle_fini(struct cycle *cycle);

#endif
