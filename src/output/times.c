/* Global times as they are written. */
#include "output/times.h"

#include "base/error.h"
#include "base/number.h"

#include <inttypes.h>

int64_t times_base(const struct csy_sync *sync)
{
    int128 base = 0;
    for (size_t t = 0; t < sync->survey.threads.count; t++) {
        int128 least = sync->views[t].offset_ticks == CSY_NO_OFFSET
                           ? sync->origin_ticks
                           : placement_of(sync, t, sync->survey.threads.items[t].min_ticks);
        base = least < base ? least : base;
    }
    return (int64_t)base;
}

/* Whether an interval may begin below the base, for all that is known without its record: those of
 * an SPE last less than 2^32 ticks. */
static bool may_reach_below(const struct csy_trace *trace, const struct csy_sync *sync,
                            int64_t base)
{
    if (!trace->source->contexts)
        return trace->has_begins;
    for (size_t t = 0; t < sync->survey.threads.count; t++) {
        const struct thread *thread = &sync->survey.threads.items[t];
        int128 least = sync->views[t].offset_ticks == CSY_NO_OFFSET
                           ? base
                           : placement_of(sync, t, thread->min_ticks);
        if (thread->kind == CSY_KIND_SPE && least - ((int128)1 << 32) < base)
            return true;
    }
    return false;
}

/* The begin of an event, or its time where it has none that counts. */
static csy_status honest_begin(const struct csy_trace *trace, const csy_events *events,
                               const csy_event *event, int64_t *begin, csy_error *error)
{
    const struct record *record = events->event.record;
    const struct named_stamp *stamp = &events->event.stamp;
    *begin = event->global_ticks;
    if (!trace->source->contexts)
        return stamp->interval && !stamp->begin_is_raw
                   ? placement_stamp_begin(trace, &events->event, event->global_ticks, begin, error)
                   : CSY_OK;
    int128 least = (int128)event->global_ticks - record_interval_ticks(record);
    if (record->spe && record->interval && fits_int64(least))
        *begin = (int64_t)least;
    return CSY_OK;
}

csy_status times_base_of_begins(struct csy_trace *trace, const struct csy_sync *sync, int64_t *base,
                                csy_error *error)
{
    csy_events *events;
    csy_event event;
    bool more = true;
    *base = times_base(sync);
    if (!may_reach_below(trace, sync, *base))
        return CSY_OK;
    csy_status status = events_open(trace, sync, &events, error);
    if (status)
        return status;
    while (!(status = csy_events_next(events, &event, &more, error)) && more) {
        int64_t begin;
        status = honest_begin(trace, events, &event, &begin, error);
        if (status)
            break;
        *base = begin < *base ? begin : *base;
    }
    csy_events_free(events);
    return status;
}
