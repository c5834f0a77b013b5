/* Global times in outputs: their origin, errors, and ranges. */
#include "output/trace/times.h"

#include "base/sort.h"
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

static const struct times_range unbounded = {INT64_MIN, INT64_MAX};

/* Find the range of a record's global time from the bounds of its clock. */
static struct times_range range_of(const struct csy_sync *sync, size_t thread, int64_t local_ticks)
{
    const csy_thread *view = &sync->views[thread];
    const csy_fraction delta = sync->imprecision.delta;
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
    if (sync->survey.threads.items[thread].set) { /* bounds may exclude this global time */
        int128 global = placement_of(sync, thread, local_ticks);
        least = global < least ? global : least;
        greatest = global > greatest ? global : greatest;
    }
    return (struct times_range){fits_int64(least) ? (int64_t)least : INT64_MIN,
                                fits_int64(greatest) ? (int64_t)greatest : INT64_MAX};
}

bool times_event_ranges(const struct csy_sync *sync, const struct event *source,
                        const csy_event *event, struct times_range ranges[2])
{
    const struct survey *survey = &sync->survey;
    bool begins =
        !source->record && source->stamp.interval && !sync->trace->lines.columns.begins_are_stamps;
    ranges[0] = ranges[1] = unbounded;
    if (FIND(&event->record, survey->dropped, survey->ndropped, compare_numbers))
        return begins;
    ranges[0] = range_of(sync, event->thread, event->local_ticks);
    if (begins)
        ranges[1] = range_of(sync, event->thread, source->stamp.begin_ticks);
    return begins;
}
