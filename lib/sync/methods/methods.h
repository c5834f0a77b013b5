/* Methods for comparison, which give no bounds. Each file of this folder contains one method. */
#ifndef SYNC_METHODS_METHODS_H
#define SYNC_METHODS_METHODS_H

#include "sync/solution.h"

/* Solve a trace of one buffer by Lamport's clocks or least squares. The solution's method and rules
 * must be set. The damage is not computed. */
csy_status baseline_solve(struct csy_trace *trace, struct csy_sync *sync,
                          const struct progress *progress, csy_error *error);

/* Set sync->times by Lamport's clocks for a partial order. Points must be sorted and include every
 * record (match_store_all). Returns CSY_INPUT if a time exceeds 64 bits. O(points + edges), with 8
 * bytes for each record, and temporarily 8 bytes for each point. */
csy_status logical_place(struct csy_sync *sync, csy_error *error);

/* Set the offsets by least squares over messages, or over the ends of operations. Points must be
 * sorted. summary.unbounded_threads becomes the number of unconnected clocks. Returns CSY_INPUT if
 * a number is too large. This takes as long as leastsq_solve. */
csy_status messages_fit(struct csy_sync *sync, csy_error *error);

/* Greatest absolute value of timestamps and latencies in ticks. */
#define MESSAGE_LATENCY_MAX ((int64_t)1 << 58)

/* Report that a latency exceeds MESSAGE_LATENCY_MAX. Returns CSY_INPUT. */
csy_status messages_refuse_latency(const struct csy_sync *sync, csy_error *error);

/* Shift the clocks that are not connected to the anchor, so that they begin together with the
 * connected clocks. Connected clocks have the same root[t]. Adds the number of shifted clocks to
 * summary.unbounded_threads. Returns CSY_INPUT if an offset g exceeds 64 bits. */
csy_status messages_align(struct csy_sync *sync, const uint32_t *root, uint32_t anchor, int64_t *g,
                          csy_error *error);

/* Set the offsets by the method of NTP servers, from messages between clocks that exchange messages
 * both ways. Points must be sorted. Unconnected clocks begin together with the others, and are
 * counted in summary.unbounded_threads. Returns CSY_INPUT if a number is too large. O((messages +
 * pairs of clocks) log messages), with 16 bytes for each message. */
csy_status ntp_place(struct csy_sync *sync, csy_error *error);

#endif
