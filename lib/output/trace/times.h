/* Global times in the form in which outputs have them. */
#ifndef OUTPUT_TRACE_TIMES_H
#define OUTPUT_TRACE_TIMES_H

#include "sync/events.h"

/* The least global time if that is negative, otherwise 0: the origin of formats without signs.
 * O(threads). */
int64_t times_base(const struct csy_sync *sync);

/* Like times_base, but also for the begins of intervals, except those that the traced program wrote
 * (PPE records). Needs a pass over the trace if intervals may begin before times_base. */
csy_status times_base_of_begins(struct csy_trace *trace, const struct csy_sync *sync, int64_t *base,
                                csy_error *error);

/* The maximum error of the time between an event of the thread and an event of the reference, if
 * bounded. A drifting clock has this error at local_ticks, rounded up. */
int128 times_uncertainty(const struct csy_sync *sync, size_t thread, int64_t local_ticks);

/* The range of an event's global time, widened by delta, in whole ticks, rounded outward. */
struct times_range {
    bool has_earliest, has_latest; /* the reference limits the clock on the earlier or later side */
    int64_t earliest_ticks, latest_ticks;
};

/* True if the event's clock may have been set at the event. Outputs mark such events as `step`. */
static inline bool times_is_set(const struct csy_sync *sync, const csy_event *event)
{
    return sync->survey.threads.items[event->thread].set;
}

/* Set ranges[0] to the range of an event's time. If the trace has the local time of the event's
 * begin, set ranges[1] to the range of the begin and return true. A dropped record has no ranges,
 * because its timestamp may be wrong by any amount. If clocks drift, a clock with a limit on only
 * one side has no range. O(log readings). */
bool times_event_ranges(const struct csy_sync *sync, const struct event *source,
                        const csy_event *event, struct times_range ranges[2]);

/* True if a drifting clock's uncertainty, last shown at shown_ticks, must be shown again. */
bool times_must_show(const struct csy_sync *sync, size_t thread, int64_t shown_ticks,
                     int64_t local_ticks);

#endif
