/* Methods for comparison: Lamport's clocks and least squares. See doc/algorithms.md, Other methods.
 *
 * They read the same events as method bhh, but give no bounds. sync/events.h computes global times
 * from one offset for each thread (least squares), or for each record (Lamport). */
#ifndef SYNC_METHODS_BASELINE_H
#define SYNC_METHODS_BASELINE_H

#include "sync/solution.h"

/* Complete a solution that has its method and rules. Its damage is not set. */
csy_status baseline_solve(struct csy_trace *trace, struct csy_sync *sync,
                          const struct progress *progress, csy_error *error);

#endif
