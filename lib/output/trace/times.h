/* Global times in outputs: their origin, errors, and ranges. */
#ifndef OUTPUT_TRACE_TIMES_H
#define OUTPUT_TRACE_TIMES_H

#include "sync/events.h"

/* Returns an origin for formats without negative times: the least global time if it is negative,
 * otherwise 0. O(threads). */
int64_t times_base(const struct csy_sync *sync);

/* The range of an event's global time, widened by delta and rounded outward to whole ticks. An end
 * without a limit is INT64_MIN or INT64_MAX. */
struct times_range {
    int64_t earliest_ticks, latest_ticks;
};

/* Returns true if a clock may have been set at the event. Outputs mark the event as `step`. */
static inline bool times_is_set(const struct csy_sync *sync, const csy_event *event)
{
    return sync->survey.threads.items[event->thread].set;
}

/* Set ranges[0] to the range of an event's time. If the trace has the local time of the event's
 * begin, set ranges[1] to its range and return true. A dropped record has no range, as its time may
 * be wrong. If clocks drift, a clock limited on one side has none. O(log readings). */
bool times_event_ranges(const struct csy_sync *sync, const struct event *source,
                        const csy_event *event, struct times_range ranges[2]);

#endif
