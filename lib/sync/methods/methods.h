/* Other methods, for comparison with the method bhh. They give no bounds. */
#ifndef SYNC_METHODS_METHODS_H
#define SYNC_METHODS_METHODS_H

#include "sync/solution.h"

/* Solve one buffer by Lamport's clocks or least squares (sync->method). Does not measure damage. */
csy_status baseline_solve(struct csy_trace *trace, struct csy_sync *sync,
                          const struct progress *progress, csy_error *error);

/* Set sync->times by Lamport's clocks. Points must be sorted, with all records (match_store_all).
 * Returns CSY_INPUT if a time exceeds 64 bits. O(points + edges), 8 bytes per record and point. */
csy_status logical_place(struct csy_sync *sync, csy_error *error);

/* Choose the offsets by least squares over messages or collective operations. Events must be
 * sorted. Sets summary.unbounded_threads. Returns CSY_INPUT on overflow. Time as leastsq_solve. */
csy_status messages_fit(struct csy_sync *sync, csy_error *error);

/* Choose the offsets as NTP servers do. Events must be sorted. A clock that no messages connect to
 * the reference starts when the others do; summary.unbounded_threads counts these clocks. Returns
 * CSY_INPUT on overflow. O((m + pairs of clocks) log m) for m messages, 16 bytes each. */
csy_status ntp_place(struct csy_sync *sync, csy_error *error);

#endif
