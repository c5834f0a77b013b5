/* The local estimate moves each offset to the middle of the interval that the offsets of other
 * threads leave. See doc/algorithms.md, Local offsets.
 *
 * The present offsets g of the threads i leave thread t the interval
 *
 *    max over i of (g[i] - wbar(i,t)) <= g[t] <= min over i of (g[i] + wbar(t,i))
 *
 * where wbar(s,t) is the bound of bounds/bounds.h. The interval would be the same with the
 * constraints in place of these bounds. Since one thread is moved at a time (Gauss-Seidel), all
 * constraints remain met. */
#ifndef BOUNDS_CENTER_H
#define BOUNDS_CENTER_H

#include "bounds/bounds.h"

enum { CENTER_SWEEPS = 5 };

/* Make CENTER_SWEEPS passes over the offsets g, which must meet all constraints. A pass moves each
 * thread t with moves[t], except the reference tau, to the middle of its interval, rounded down.
 * moves[t] must be true if and only if the bounds between t and tau are finite in both directions.
 * `order` has the threads in the order of their last events; only a dense graph needs it. Memory:
 * 24 bytes for each thread. */
csy_status center_locally(const struct bounds *b, size_t tau, const uint32_t *order,
                          const bool *moves, int64_t *g, csy_error *error);

#endif
