/* The local estimate moves each offset to the middle of the interval that its neighbours leave. See
 * doc/algorithms.md, Local offsets.
 *
 * The present offsets of its neighbours leave thread t the interval
 *
 *    max over i of (g[i] - wbar(i,t)) <= g[t] <= min over i of (g[i] + wbar(t,i))
 *
 * The interval is the same for the constraints, for their closure, and for any set in between: if g
 * meets all constraints, a walk is never tighter than its last edge. Moving one thread at a time to
 * the middle (Gauss-Seidel) keeps all constraints met. */
#ifndef BOUNDS_CENTER_H
#define BOUNDS_CENTER_H

#include "bounds/bounds.h"

enum { CENTER_SWEEPS = 5 };

/* Make CENTER_SWEEPS passes over the offsets g, which must meet all constraints. A pass moves each
 * thread t with moves[t], in the order of last events. moves[t] must be true exactly for the
 * threads, except tau, that tau bounds on both sides. Only a dense graph needs `order`, the threads
 * by last event. Middles are rounded down. All engines give the same result. O(T W), dense O(T^2);
 * 24 bytes for each thread. */
csy_status center_locally(const struct bounds *b, size_t tau, const uint32_t *order,
                          const bool *moves, int64_t *g, csy_error *error);

#endif
