/* Global times as written. */
#ifndef OUTPUT_TRACE_TIMES_H
#define OUTPUT_TRACE_TIMES_H

#include "sync/events.h"

/* The least global time if it is below 0, otherwise 0: the origin of formats without signs.
 * O(threads). */
int64_t times_base(const struct csy_sync *sync);

/* The same including the begins of intervals, except those of PPE records, which the traced program
 * wrote. Needs a pass over the trace if intervals may begin below times_base. */
csy_status times_base_of_begins(struct csy_trace *trace, const struct csy_sync *sync, int64_t *base,
                                csy_error *error);

/* The maximum error of the time between an event of this clock and one of the reference, if
 * bounded; for a drifting clock at this local time, rounded up. */
int128 times_uncertainty(const struct csy_sync *sync, size_t thread, int64_t local_ticks);

/* The range of the global time of an event with this local time, in whole ticks, rounded outward;
 * delta widens it. */
struct times_range {
    bool has_earliest, has_latest; /* the reference bounds the clock on this side */
    int64_t earliest_ticks, latest_ticks;
};

/* True if the clock of an event may have been set at the event, which has the mark `step`. */
static inline bool times_is_set(const struct csy_sync *sync, const csy_event *event)
{
    return sync->survey.threads.items[event->thread].set;
}

/* Set ranges[0] to the range of an event's time and, if the trace has the local time of its begin,
 * ranges[1] to the range of the begin and return true. A record that was dropped has no ranges,
 * because its timestamp may be wrong by any amount. If clocks drift, a clock that is bounded on one
 * side only has no range. O(log readings). */
bool times_event_ranges(const struct csy_sync *sync, const struct event *source,
                        const csy_event *event, struct times_range ranges[2]);

/* True if the uncertainty of a drifting clock, last shown at a local time, must be shown again. */
bool times_must_show(const struct csy_sync *sync, size_t thread, int64_t shown_ticks,
                     int64_t local_ticks);

#endif
