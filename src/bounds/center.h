/*
 * The local estimate: offsets moved between those of their neighbours.  cellsync-model(7),
 * Local offsets.
 *
 * A thread's neighbours, where they are now, leave it the interval
 *
 *   max over i of (g[i] - wbar(i,t))  <=  g[t]  <=  min over i of (g[i] + wbar(t,i))
 *
 * which is the same whether all constraints, or the bounds closed over them, or anything in between
 * is looked at: a walk is never tighter than its last edge, as long as g keeps all constraints.
 * Moving one thread at a time to the middle of it (Gauss-Seidel) keeps them.
 */
#ifndef BOUNDS_CENTER_H
#define BOUNDS_CENTER_H

#include "bounds/bounds.h"

enum { CENTER_SWEEPS = 5 };

/* Move g, which keeps all constraints, CENTER_SWEEPS times: each thread that is bounded both ways
 * with tau (moves says which), in the order of last events, which a sweep's eliminations must have
 * and a dense graph is given as order; tau stays.  Middles are floored.  The result is the same
 * with either engine.  O(T W), dense O(T^2); 24 bytes a thread. */
csy_status center_locally(const struct bounds *b, size_t tau, const uint32_t *order,
                          const bool *moves, int64_t *g, csy_error *error);

#endif
