/* Least squares over the messages of a trace in partial order. See doc/algorithms.md, Least
 * squares.
 *
 *    minimize  sum (g[t] + hi(q) - g[s] - lo(p) - latency)^2
 *
 * over all messages that leave a clock s at p and reach another clock t at q. With CSY_METHOD_ENDS,
 * p and q are instead the ends of two members of an operation, with hi(p) and no latency. Clocks
 * that messages or operations do not connect to the PPE (without a PPE, to the first clock) are
 * fitted separately, and begin at the same time as the connected clocks. */
#ifndef SYNC_METHODS_MESSAGES_H
#define SYNC_METHODS_MESSAGES_H

#include "sync/solution.h"

/* Set the offsets of a solution with ordered points. summary.unbounded_threads counts the
 * unconnected clocks. CSY_INPUT if numbers exceed their types. Takes as long as leastsq_solve. */
csy_status messages_fit(struct csy_sync *sync, csy_error *error);

/* Greatest absolute value of timestamps and latencies. */
#define MESSAGE_LATENCY_MAX ((int64_t)1 << 58)

/* Report that a latency exceeds MESSAGE_LATENCY_MAX. Returns CSY_INPUT. */
csy_status messages_refuse_latency(const struct csy_sync *sync, csy_error *error);

/* Shift clocks that are not connected to the anchor so that their least global time is that of the
 * connected clocks. root[t] identifies the component of clock t. summary.unbounded_threads counts
 * the shifted clocks. CSY_INPUT if g exceeds 64 bits. */
csy_status messages_align(struct csy_sync *sync, const uint32_t *root, uint32_t anchor, int64_t *g,
                          csy_error *error);

#endif
