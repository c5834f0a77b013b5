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

/* Set the offsets by least squares over messages or collective operations. The points must be
 * sorted. Sets summary.unbounded_threads. Returns CSY_INPUT on overflow. Time as leastsq_solve. */
csy_status messages_fit(struct csy_sync *sync, csy_error *error);

/* Set the offsets by the method of NTP servers. Points must be sorted. Clocks that no messages
 * connect to the reference start when the others do; summary.unbounded_threads counts them. Returns
 * CSY_INPUT on overflow. O((messages + pairs of clocks) log messages), 16 bytes per message. */
csy_status ntp_place(struct csy_sync *sync, csy_error *error);

#endif
