/* Global times as written. */
#include "output/trace/times.h"

#include "base/error.h"
#include "output/trace/writer.h"
#include "sync/drift/drift.h"

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

/* True if an interval might begin before `base`, as far as can be told without its record:
 * intervals of SPEs last less than 2^32 ticks. */
static bool may_reach_below(const struct csy_trace *trace, const struct csy_sync *sync,
                            int64_t base)
{
    if (sync->tracks)
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

int128 times_uncertainty(const struct csy_sync *sync, size_t thread, int64_t local_ticks)
{
    const csy_thread *view = &sync->views[thread];
    int128 least, greatest, width = (int128)view->latest_ticks - view->earliest_ticks;
    if (sync->drift && drift_bounds(sync, thread, local_ticks, &least, &greatest))
        width = ceil_div(greatest - least, AGE_UNIT);
    return width + 2 * (int128)sync->imprecision.added_ticks;
}

/* The range of the global time of a record with this local time, from the limits of the clock at
 * the reading `at`. */
static struct times_range range_by(const struct csy_sync *sync, size_t thread, int64_t at,
                                   int64_t local_ticks)
{
    const csy_thread *view = &sync->views[thread];
    const csy_fraction delta = sync->imprecision.delta;
    struct times_range out = {0};
    int128 least, greatest;
    if (sync->drift) {
        /* A tick of the clock lasts longer than a tick of the reference, by up to rate_ppb. */
        int128 rate = thread == sync->reference ? 0 : sync->drift->view.rate_ppb;
        int128 apart = local_ticks > at ? (int128)local_ticks - at : (int128)at - local_ticks;
        int128 tick = AGE_UNIT + rate;
        int128 off = (delta.num > 0 ? ceil_div(delta.num * tick, delta.den) : 0) + apart * rate;
        if (!drift_bounds(sync, thread, at, &least, &greatest))
            return out;
        out.has_earliest = out.has_latest = true;
        least = local_ticks + floor_div(least - off, AGE_UNIT);
        greatest = local_ticks + ceil_div(greatest + off, AGE_UNIT);
    } else {
        int64_t earliest, latest;
        solution_event_ends(sync, view, &earliest, &latest);
        out.has_earliest = earliest != INT64_MIN;
        out.has_latest = latest != INT64_MAX;
        least = (int128)local_ticks + earliest;
        greatest = (int128)local_ticks + latest;
    }
    out.has_earliest &= fits_int64(least);
    out.has_latest &= fits_int64(greatest);
    out.earliest_ticks = out.has_earliest ? (int64_t)least : 0;
    out.latest_ticks = out.has_latest ? (int64_t)greatest : 0;
    return out;
}

/* The part of `range` that lies in `other`, or `range` if there is none. */
static struct times_range intersect(struct times_range range, struct times_range other)
{
    struct times_range out = range;
    if (other.has_earliest && (!out.has_earliest || other.earliest_ticks > out.earliest_ticks)) {
        out.has_earliest = true;
        out.earliest_ticks = other.earliest_ticks;
    }
    if (other.has_latest && (!out.has_latest || other.latest_ticks < out.latest_ticks)) {
        out.has_latest = true;
        out.latest_ticks = other.latest_ticks;
    }
    bool empty = out.has_earliest && out.has_latest && out.earliest_ticks > out.latest_ticks;
    return empty ? range : out;
}

/* The range of a record. If its clock may have been set there, the record belongs to the segment
 * before or to the one after, so its range also lies in the union of their ranges. */
static struct times_range range_of(const struct csy_sync *sync, size_t thread, int64_t local_ticks)
{
    const struct thread *threads = sync->survey.threads.items, *one = &threads[thread];
    struct times_range own = range_by(sync, thread, local_ticks, local_ticks);
    if (!one->set || one->set_before == NO_THREAD || one->set_after == NO_THREAD)
        return own;
    struct times_range a = range_by(sync, one->set_before, threads[one->set_before].last_ticks,
                                    local_ticks),
                       b = range_by(sync, one->set_after, threads[one->set_after].first_ticks,
                                    local_ticks);
    a.has_earliest &= b.has_earliest;
    a.has_latest &= b.has_latest;
    a.earliest_ticks = a.earliest_ticks < b.earliest_ticks ? a.earliest_ticks : b.earliest_ticks;
    a.latest_ticks = a.latest_ticks > b.latest_ticks ? a.latest_ticks : b.latest_ticks;
    return intersect(own, a);
}

bool times_event_ranges(const struct csy_sync *sync, const struct event *source,
                        const csy_event *event, struct times_range ranges[2])
{
    const struct survey *survey = &sync->survey;
    size_t low = 0, high = survey->ndropped;
    bool begins =
        !source->record && source->stamp.interval && !sync->trace->lines.columns.begins_are_stamps;
    ranges[0] = ranges[1] = (struct times_range){0};
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (survey->dropped[middle] < event->record)
            low = middle + 1;
        else
            high = middle;
    }
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
    struct csy_trace *trace;
    const struct csy_sync *sync;
    int64_t ticks; /* least begin so far */
};

/* Take the begin of an event, or its time if it has no begin or its begin does not count. */
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
    struct least least = {trace, sync, times_base(sync)};
    csy_status status = CSY_OK;
    if (may_reach_below(trace, sync, least.ticks))
        status = writer_walk(&(struct writer){trace, sync, NULL, &format, &least}, error);
    *base = least.ticks;
    return status;
}
