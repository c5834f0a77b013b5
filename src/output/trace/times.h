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

#endif
