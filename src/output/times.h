/* Global times as they are written. */
#ifndef OUTPUT_TIMES_H
#define OUTPUT_TIMES_H

#include "sync/events.h"

/* The least global time where it is below 0, else 0: what formats count from whose times have no
 * sign.  O(threads). */
int64_t times_base(const struct csy_sync *sync);

/* The same with all intervals: the least begin where that is lower.  Begins that are what a program
 * wrote, those of PPE records, do not count.  A pass over the trace where intervals can reach below
 * times_base. */
csy_status times_base_of_begins(struct csy_trace *trace, const struct csy_sync *sync, int64_t *base,
                                csy_error *error);

/* The begin stamp in global time; where there is none, the field as it stood. */
uint64_t record_global_begin(const struct record *record, int64_t global_ticks,
                             int64_t local_ticks);

/* Where an interval of a named thread begins in global time.  CSY_INPUT where that leaves 64
 * bits. */
csy_status stamp_global_begin(const struct csy_trace *trace, const struct event *event,
                              int64_t global_ticks, int64_t *begin, csy_error *error);

#endif
