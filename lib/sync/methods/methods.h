/* The methods for comparison, one in each file of this folder, give no bounds. */
#ifndef SYNC_METHODS_METHODS_H
#define SYNC_METHODS_METHODS_H

#include "sync/solution.h"

/* Complete a solution of one buffer by Lamport's clocks or least squares. The solution must have
 * its method and rules. The damage of the solution is not set. */
csy_status baseline_solve(struct csy_trace *trace, struct csy_sync *sync,
                          const struct progress *progress, csy_error *error);

/* Set sync->times by Lamport's clocks for a partial order. The points must be ordered and contain
 * every record (match_store_all). Returns CSY_INPUT if a time exceeds 64 bits. This takes O(points
 * + edges), 8 bytes a record, and temporarily 8 bytes a point. */
csy_status logical_place(struct csy_sync *sync, csy_error *error);

/* Set the offsets of a solution with ordered points by least squares over messages, or over the
 * ends of operations. summary.unbounded_threads becomes the number of unconnected clocks. Returns
 * CSY_INPUT if numbers exceed their types. This takes as long as leastsq_solve. */
csy_status messages_fit(struct csy_sync *sync, csy_error *error);

/* Greatest absolute value of timestamps and latencies. */
#define MESSAGE_LATENCY_MAX ((int64_t)1 << 58)

/* Report that a latency exceeds MESSAGE_LATENCY_MAX. Returns CSY_INPUT. */
csy_status messages_refuse_latency(const struct csy_sync *sync, csy_error *error);

/* Shift clocks that are not connected to the anchor, so that they begin when the connected clocks
 * begin. root[t] identifies the component of clock t. The number of shifted clocks is added to
 * summary.unbounded_threads. Returns CSY_INPUT if g exceeds 64 bits. */
csy_status messages_align(struct csy_sync *sync, const uint32_t *root, uint32_t anchor, int64_t *g,
                          csy_error *error);

/* Set the offsets of a solution with ordered points by the method of NTP servers. Clocks that peers
 * do not connect to the reference begin at the same time as the other clocks. The number of such
 * clocks becomes summary.unbounded_threads. Returns CSY_INPUT if numbers exceed their types. This
 * takes O((messages + peers) log messages), and 16 bytes for each message. */
csy_status ntp_place(struct csy_sync *sync, csy_error *error);

#endif
