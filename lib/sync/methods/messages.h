/* Least squares over the messages of a trace in partial order. See doc/algorithms.md, Least
 * squares.
 *
 *   minimize  sum (g[t] + hi(q) - g[s] - lo(p) - latency)^2
 *
 * over all messages that leave a clock s at p and reach another clock t at q. With CSY_METHOD_ENDS,
 * p and q are instead the ends of two members of an operation, with hi(p) and no latency. Clocks
 * that no messages or operations connect to the PPE, or without a PPE to the first clock, are
 * fitted separately, and begin at the same time as the clocks connected to it. */
#ifndef SYNC_METHODS_MESSAGES_H
#define SYNC_METHODS_MESSAGES_H

#include "sync/solution.h"

/* Set the offsets of a solution with ordered points. summary.unbounded_threads is the number of
 * unconnected clocks. CSY_INPUT if numbers exceed their types. Time as for leastsq_solve. */
csy_status messages_fit(struct csy_sync *sync, csy_error *error);

/* The limit for the absolute values of timestamps and latencies. */
#define MESSAGE_LATENCY_MAX ((int64_t)1 << 58)

/* Set the error for a latency that exceeds the limit. Returns CSY_INPUT. */
csy_status messages_refuse_latency(const struct csy_sync *sync, csy_error *error);

/* Shift clocks that are not connected to the anchor, such that their least global time is that of
 * the connected ones. root[t] identifies the component of clock t. summary.unbounded_threads counts
 * the shifted clocks. CSY_INPUT if g exceeds 64 bits. */
csy_status messages_align(struct csy_sync *sync, const uint32_t *root, uint32_t anchor, int64_t *g,
                          csy_error *error);

#endif
