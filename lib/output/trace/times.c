/* Global times in outputs: their origin, errors, and ranges. */
#include "output/trace/times.h"

#include "base/array.h"
#include "base/error.h"
#include "output/trace/writer.h"
#include "sync/drift/drift.h"

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

int128 times_uncertainty(const struct csy_sync *sync, size_t thread, int64_t local_ticks)
{
    const csy_thread *view = &sync->views[thread];
    int128 least, greatest, width = (int128)view->latest_ticks - view->earliest_ticks;
    if (sync->drift && drift_bounds(sync, thread, local_ticks, &least, &greatest))
        width = ceil_div(greatest - least, AGE_UNIT);
    return width + 2 * (int128)sync->imprecision.added_ticks;
}

static const struct times_range unbounded = {INT64_MIN, INT64_MAX};

/* Find the range of a record's global time from the bounds of its clock. */
static struct times_range range_of(const struct csy_sync *sync, size_t thread, int64_t local_ticks)
{
    const csy_thread *view = &sync->views[thread];
    const csy_fraction delta = sync->imprecision.delta;
    struct times_range range = unbounded;
    int128 least, greatest;
    if (sync->drift) {
        /* A tick of the clock may last longer than a tick of the reference, by up to rate_ppb. */
        int128 rate = thread == sync->reference ? 0 : sync->drift->view.rate_ppb;
        int128 tick = AGE_UNIT + rate;
        int128 off = delta.num > 0 ? ceil_div(delta.num * tick, delta.den) : 0;
        if (!drift_bounds(sync, thread, local_ticks, &least, &greatest))
            return unbounded;
        least = local_ticks + floor_div(least - off, AGE_UNIT);
        greatest = local_ticks + ceil_div(greatest + off, AGE_UNIT);
    } else {
        int64_t earliest, latest;
        solution_event_ends(sync, view, &earliest, &latest);
        least = earliest == INT64_MIN ? INT64_MIN : (int128)local_ticks + earliest;
        greatest = latest == INT64_MAX ? INT64_MAX : (int128)local_ticks + latest;
    }
    if (sync->survey.threads.items[thread].set) { /* the bounds may exclude the global time */
        int128 global = placement_of(sync, thread, local_ticks);
        least = global < least ? global : least;
        greatest = global > greatest ? global : greatest;
    }
    if (fits_int64(least))
        range.earliest_ticks = (int64_t)least;
    if (fits_int64(greatest))
        range.latest_ticks = (int64_t)greatest;
    return range;
}

bool times_event_ranges(const struct csy_sync *sync, const struct event *source,
                        const csy_event *event, struct times_range ranges[2])
{
    const struct survey *survey = &sync->survey;
    size_t low = 0, high = survey->ndropped;
    bool begins =
        !source->record && source->stamp.interval && !sync->trace->lines.columns.begins_are_stamps;
    ranges[0] = ranges[1] = unbounded;
    BISECT(low, high, middle, survey->dropped[middle] < event->record);
    if (low < survey->ndropped && survey->dropped[low] == event->record)
        return begins;
    ranges[0] = range_of(sync, event->thread, event->local_ticks);
    if (begins)
        ranges[1] = range_of(sync, event->thread, source->stamp.begin_ticks);
    return begins;
}

bool times_must_show(const struct csy_sync *sync, size_t thread, int64_t shown_ticks,
                     int64_t local_ticks)
{
    enum { TIMES = 100 };
    const struct thread *one = &sync->survey.threads.items[thread];
    int128 by = (int128)local_ticks - shown_ticks;
    return sync->drift && by > 0 && by * TIMES >= (int128)one->max_ticks - one->min_ticks;
}

struct least {
    const struct csy_sync *sync;
    int64_t ticks; /* least global time so far */
};

/* Lower least->ticks to the begin of an event. An event without a begin, or with one that the
 * traced program wrote, counts with its time. */
static csy_status take_begin(void *user, const struct event *source, const csy_event *event,
                             csy_error *error)
{
    struct least *least = user;
    const struct record *record = source->record;
    int64_t begin = event->global_ticks;
    bool interval, counts = !record ? !source->stamp.begin_is_raw
                                    : record->spe && record->interval &&
                                          fits_int64((int128)begin - record_interval_ticks(record));
    csy_status status = CSY_OK;
    if (counts)
        status = placement_event_begin(least->sync, source, event, &interval, &begin, error);
    least->ticks = begin < least->ticks ? begin : least->ticks;
    return status;
}

csy_status times_base_of_begins(struct csy_trace *trace, const struct csy_sync *sync, int64_t *base,
                                csy_error *error)
{
    static const struct writer_format format = {.event = take_begin};
    struct least least = {sync, times_base(sync)};
    csy_status status = CSY_OK;
    /* A pass is needed only if an interval may begin before all records. Intervals of SPEs last
     * less than 2^32 ticks. */
    bool below = sync->tracks && trace->has_begins;
    for (size_t t = 0; t < sync->survey.threads.count && !sync->tracks && !below; t++) {
        const struct thread *thread = &sync->survey.threads.items[t];
        int128 first = sync->views[t].offset_ticks == CSY_NO_OFFSET
                           ? least.ticks
                           : placement_of(sync, t, thread->min_ticks);
        below = thread->kind == CSY_KIND_SPE && first - ((int128)1 << 32) < least.ticks;
    }
    if (below)
        status = writer_walk(&(struct writer){trace, sync, NULL, &format, &least}, error);
    *base = least.ticks;
    return status;
}
