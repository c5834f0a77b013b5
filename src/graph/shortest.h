/*
 * One row and one column of the bounds graph by Bellman and Ford, sharing nothing with the closure:
 * what a solution is checked against.
 */
#ifndef GRAPH_SHORTEST_H
#define GRAPH_SHORTEST_H

#include "graph/constraints.h"

/* from[t] = wbar(tau,t) and to[t] = wbar(t,tau) of w + added_ticks, WALK_INF where there is none.
 * *feasible is false where a negative cycle is met.  dense_check_range must hold.  O(T^2) a pass,
 * T passes at the worst. */
void shortest_from_and_to(const struct constraints *c, int64_t added_ticks, size_t tau,
                          int64_t *from, int64_t *to, bool *feasible);

#endif
