/* Measures the errors of all records of drifting clocks in a pass over the trace. */
#include "base/error.h"
#include "sync/drift/drift.h"
#include "sync/partial_order.h"
#include "trace/streams.h"

#include <stdlib.h>

/* Limits of global minus local times, in units of 1/AGE_UNIT ticks. */
#define AGE_LEAST (-((int128)1 << 120))
#define AGE_GREATEST ((int128)1 << 120)

/* A range of local times of a clock, from `from` to `to` - 1. No constraint begins or ends in it,
 * and the clock's rate is constant. So the limits at all times in it follow from the limits at both
 * ends. */
struct segment {
    int64_t from, to;
    /* local times of the last constraint before the segment and of the first one after it */
    int64_t before, after;
    int128 least_before, greatest_before, least_after, greatest_after;
    int64_t slow, fast; /* least and greatest rate of the clock relative to global time */
    struct knots_line line;
};

/* Sums and maxima over a clock's records. A width is the size of the range of a global time. */
struct widths {
    int128 sum, max;
    int128 above, below; /* greatest distances of a record's time to its upper and lower limit */
    uint64_t records, record, place;
    int64_t local_ticks;
    struct segment segment; /* contains the last record of the clock */
};

struct measuring {
    struct csy_sync *sync;
    struct widths *widths;
};

static void set_segment(const struct csy_sync *sync, size_t thread, int64_t local_ticks,
                        struct segment *out)
{
    out->from = INT64_MIN;
    out->to = INT64_MAX;
    const struct ageing *ageing = &sync->drift->ageing;
    const int128 shift = sync->drift->shift[thread];
    const struct ageing_moment moment = {
        (uint32_t)thread, rebase_x(&sync->survey.rough, (uint32_t)thread, local_ticks)};
    const struct neighbours at = ageing_neighbours(ageing, moment);
    out->slow = ageing->rates[thread].least;
    out->fast = ageing->rates[thread].greatest;
    out->before = out->after = local_ticks;
    out->least_before = out->least_after = AGE_LEAST;
    out->greatest_before = out->greatest_after = AGE_GREATEST;
    if (at.before != NO_NODE) {
        out->from = out->before =
            rebase_local(&sync->survey.rough, (uint32_t)thread, ageing->reading[at.before]);
        out->least_before = ageing->least[at.before] + shift;
        out->greatest_before = ageing_greatest(ageing, at.before) + shift;
    }
    if (at.after != NO_NODE) {
        out->to = out->after =
            rebase_local(&sync->survey.rough, (uint32_t)thread, ageing->reading[at.after]);
        out->least_after = ageing->least[at.after] + shift;
        out->greatest_after = ageing_greatest(ageing, at.after) + shift;
    }
    if (at.before == NO_NODE && at.after == NO_NODE) {
        out->slow = out->fast = 0;
        out->least_before = out->greatest_before = shift;
    }
    out->line = knots_line(&sync->drift->clocks[thread], local_ticks);
    out->to = out->line.to < out->to ? out->line.to : out->to;
    out->from = out->line.from > out->from ? out->line.from : out->from;
}

static inline int128 greater(int128 a, int128 b)
{
    return a > b ? a : b;
}

/* Add the error of a record to the sums of its clock, which must have a lower and an upper
 * limit. */
static inline void note_record(const struct measuring *m, size_t thread, int64_t local_ticks,
                               uint64_t record, uint64_t place)
{
    struct widths *widths = &m->widths[thread];
    struct segment *s = &widths->segment;
    if (local_ticks < s->from || local_ticks >= s->to)
        set_segment(m->sync, thread, local_ticks, s);
    /* Local times of one clock are less than 2^60 ticks apart, so differences fit 64 bits. */
    int64_t since = (int64_t)((uint64_t)local_ticks - (uint64_t)s->before);
    int64_t until = (int64_t)((uint64_t)s->after - (uint64_t)local_ticks);
    int128 least = greater(s->least_before + (int128)s->slow * since,
                           s->least_after - (int128)s->fast * until);
    int128 greatest = s->greatest_before + (int128)s->fast * since;
    int128 backward = s->greatest_after - (int128)s->slow * until;
    greatest = backward < greatest ? backward : greatest;
    int128 width = greatest - least;
    if (widths->records++ == 0 || width > widths->max ||
        (width == widths->max && record < widths->record)) {
        widths->max = width;
        widths->record = record;
        widths->place = place;
        widths->local_ticks = local_ticks;
    }
    widths->sum += width;
    int128 age = knots_line_ticks(&s->line, local_ticks) * AGE_UNIT;
    widths->above = greater(greatest - age, widths->above);
    widths->below = greater(age - least, widths->below);
}

static csy_status measure_event(void *observer, const struct event *event, csy_error *error)
{
    const struct measuring *m = observer;
    (void)error;
    if (m->sync->drift->views[event->thread].bounded)
        note_record(m, event->thread, event->local_ticks, event->position, event->place);
    return CSY_OK;
}

/* Measure the records of each location separately. *good is false if that is not possible. */
static csy_status measure_streams(const struct measuring *m, bool *good, csy_error *error)
{
    const struct csy_sync *sync = m->sync;
    const struct partial *partial = sync->partial;
    const struct streams_part part = {
        .first = 0, .step = 1, .open_most = 1, .chunk = STREAMS_CHUNK / 4, .plain = true};
    struct streams *streams = NULL;
    struct stream_batch batch;
    uint64_t records = 0;
    const struct walked *again = partial ? partial->walked : NULL;
    *good = again != NULL;
    if (!*good)
        return CSY_OK;
    csy_status status = streams_start(sync->trace, &part, &streams, error);
    while (!status && streams_next(streams, &batch)) {
        records += batch.count;
        const struct stream_start *start = &again->found.starts[batch.location];
        for (size_t i = 0; i < batch.count && sync->drift->views[start->thread].bounded; i++)
            note_record(m, start->thread, batch.items[i].time_ticks,
                        start->position + batch.items[i].position, batch.items[i].place);
    }
    if (!status && (streams->failed || records != sync->survey.records))
        status = trace_refuse_changed(sync->trace, error);
    streams_stop(streams);
    return status;
}

static bool measure_points(const struct measuring *m)
{
    const struct csy_sync *sync = m->sync;
    const struct partial *partial = sync->partial;
    if (!partial || partial->streamed || partial->flat || partial->loose)
        return false;
    const struct instant *items = partial->points.items;
    uint64_t records = 0;
    for (size_t p = 0; p < partial->points.count; p++)
        records += items[p].kind == INSTANT_END;
    if (records != sync->survey.records)
        return false;
    for (size_t p = 0; p < partial->points.count; p++)
        if (items[p].kind == INSTANT_END && sync->drift->views[items[p].clock].bounded)
            note_record(m, items[p].clock,
                        rebase_local(&sync->survey.rough, items[p].clock, items[p].hi),
                        items[p].position, items[p].place);
    return true;
}

/* Returns the error of the time between two events: `error`, from clocks, plus timestamp errors.
 * Timestamps are off by at most added_ticks together, and ticks may last rate_ppb longer. */
static csy_fine event_error(const struct csy_sync *sync, int128 error)
{
    return drift_fine(error + (int128)sync->imprecision.added_ticks *
                                  ((int128)2 * AGE_UNIT + sync->drift->view.rate_ppb));
}

csy_status drift_measure(struct csy_sync *sync, const struct progress *progress, csy_error *error)
{
    struct measuring m = {sync, calloc(sync->survey.threads.count, sizeof *m.widths)};
    struct taker taker = {.observe = measure_event, .observer = &m};
    bool good = false;
    csy_status status = m.widths ? measure_streams(&m, &good, error) : error_memory(error);
    sync->trace->skips_roles = true;
    if (!status && !good && !measure_points(&m))
        status = pass_again(sync->trace, &sync->survey, (uint32_t)sync->reference, &taker, progress,
                            error);
    sync->trace->skips_roles = false;
    if (!status) {
        struct drift *drift = m.sync->drift;
        int128 sum = 0, max = -1, above = 0, below = 0;
        for (size_t t = 0; t < drift->view.nclocks; t++) {
            const struct widths *widths = &m.widths[t];
            csy_drift_clock *view = &drift->views[t];
            if (widths->records == 0)
                continue;
            view->max_error = drift_fine(widths->max);
            view->mean_error = drift_fine(floor_div(widths->sum, (int128)widths->records));
            view->max_record = widths->record;
            view->max_place = widths->place;
            view->max_local_ticks = widths->local_ticks;
            if (t == m.sync->reference)
                continue;
            sum += widths->sum;
            above = greater(widths->above, above);
            below = greater(widths->below, below);
            drift->view.records += widths->records;
            if (widths->max > max) {
                max = widths->max;
                drift->view.max_clock = t;
            }
        }
        if (max >= 0) {
            int128 mean = floor_div(sum, (int128)drift->view.records);
            drift->view.max_error = drift_fine(max);
            drift->view.mean_error = drift_fine(mean);
            drift->view.mean_event_error = event_error(m.sync, mean);
            drift->view.max_event_error = event_error(m.sync, above + below);
        }
    }
    free(m.widths);
    return status;
}
