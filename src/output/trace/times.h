/* Global times as they are written. */
#ifndef OUTPUT_TRACE_TIMES_H
#define OUTPUT_TRACE_TIMES_H

#include "sync/events.h"

/* The least global time where it is below 0, else 0: what formats count from whose times have no
 * sign.  O(threads). */
int64_t times_base(const struct csy_sync *sync);

/* The same with all intervals: the least begin where that is lower.  Begins that are what a program
 * wrote, those of PPE records, do not count.  A pass over the trace where intervals can reach below
 * times_base. */
csy_status times_base_of_begins(struct csy_trace *trace, const struct csy_sync *sync, int64_t *base,
                                csy_error *error);

/* How far the time between an event of this clock and one of the reference can be off, at most,
 * where it is bounded; of a clock that drifts at this local time, rounded up. */
int128 times_uncertainty(const struct csy_sync *sync, size_t thread, int64_t local_ticks);

/* Whether that of a clock that drifts is to be shown again, having been shown at a local time. */
bool times_must_show(const struct csy_sync *sync, size_t thread, int64_t shown_ticks,
                     int64_t local_ticks);

#endif
