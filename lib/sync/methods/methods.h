/* The methods for comparison, one for each file of this folder. They give no bounds. */
#ifndef SYNC_METHODS_METHODS_H
#define SYNC_METHODS_METHODS_H

#include "sync/solution.h"

/* Lamport's clocks or least squares for one buffer. Complete a solution that has its method and
 * rules. Its damage is not set. */
csy_status baseline_solve(struct csy_trace *trace, struct csy_sync *sync,
                          const struct progress *progress, csy_error *error);

/* Lamport's clocks for a partial order. Set sync->times. The points must be ordered and contain
 * every record (match_store_all). CSY_INPUT if a time exceeds 64 bits. O(points + edges); 8 bytes a
 * record, and temporarily 8 a point. */
csy_status logical_place(struct csy_sync *sync, csy_error *error);

/* Least squares over messages, or over the ends of operations. Set the offsets of a solution with
 * ordered points. summary.unbounded_threads counts the unconnected clocks. CSY_INPUT if numbers
 * exceed their types. Takes as long as leastsq_solve. */
csy_status messages_fit(struct csy_sync *sync, csy_error *error);

/* Greatest absolute value of timestamps and latencies. */
#define MESSAGE_LATENCY_MAX ((int64_t)1 << 58)

/* Report that a latency exceeds MESSAGE_LATENCY_MAX. Returns CSY_INPUT. */
csy_status messages_refuse_latency(const struct csy_sync *sync, csy_error *error);

/* Shift clocks that are not connected to the anchor, so that they begin when the connected clocks
 * begin. root[t] identifies the component of clock t. summary.unbounded_threads counts
 * the shifted clocks. CSY_INPUT if g exceeds 64 bits. */
csy_status messages_align(struct csy_sync *sync, const uint32_t *root, uint32_t anchor, int64_t *g,
                          csy_error *error);

/* The method of NTP servers. Set the offsets of a solution with ordered points. Clocks that peers
 * do not connect to the reference begin at the same time as the others; summary.unbounded_threads
 * counts them. CSY_INPUT if numbers exceed their types. O((messages + peers) log messages), 16
 * bytes for each message. */
csy_status ntp_place(struct csy_sync *sync, csy_error *error);

#endif
