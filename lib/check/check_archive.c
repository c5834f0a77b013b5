/* Proves the guarantees of an archive with synchronized clocks (csy_check): its events are
 * unchanged, and each of its threads has the offset of its clock. See cellsync-model(7),
 * Guarantees.
 *
 *   event files --> checksum
 *   events, offsets --> global times --> order, then bounds (check/check_partial.c)
 *                                        order and rates, if clocks drift (check/check_drift.c)
 *
 * Global times of the archive begin at the time that it states as its start, not at 0. If clocks
 * drift, the archive states offsets at some times, and global times follow lines between them. */
#include "base/array.h"
#include "base/error.h"
#include "base/texts.h"
#include "check/check.h"
#include "clock/global.h"
#include "clock/knots.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

struct archive_check {
    struct check *check;
    uint64_t origin_ticks;
    struct texts clocks;
    size_t *first; /* for each clock: its first thread in the archive */
    size_t nfirst, capacity;
    uint32_t *met; /* for each clock: its thread number in `check`, or NO_THREAD without events */
    size_t met_capacity;
    /* for each clock with events: the offsets that the archive states for the first thread of the
     * clock */
    struct tracer_thread *said;
    size_t said_capacity;
    bool any;
    int128 least, greatest; /* global times, over the begins and ends of all events */
};

#define NOT_HALF "the deviation of a clock offset is not half the width of the bounds of this clock"

static csy_status fail_clock(const struct archive_check *c, const struct tracer_thread *thread,
                             const char *what, csy_error *error)
{
    char shown[ERROR_ESCAPED_MAX];
    return error_set(error, CSY_CHECK, "%s: %s: %s", c->check->trace->name,
                     error_escape(shown, thread->thread.bytes, thread->thread.size), what);
}

/* Give a new clock a number, and store the offset that the clock's first thread states. */
static csy_status meet_clock(struct archive_check *c, const struct event *event, csy_error *error)
{
    struct table_rows *rows = &c->check->table.rows;
    const struct csy_trace *trace = c->check->trace;
    struct tracer_thread thread;
    uint32_t number;
    if (event->thread < rows->count)
        return CSY_OK;
    if (!texts_look(&c->clocks, event->stamp.clock, event->stamp.clock_size, &number) ||
        !trace->source->tracer(trace, c->first[number], &thread))
        return check_fail_at(c->check, event->position,
                             "the clock of this location is not defined in the archive", error);
    if (thread.count == 0)
        return fail_clock(c, &thread, "the archive has no offset for the clock of this location",
                          error);
    if (!ARRAY_RESERVE(rows->threads, rows->capacity, rows->count + 1) ||
        !ARRAY_RESERVE(c->said, c->said_capacity, rows->count + 1))
        return error_memory(error);
    c->met[number] = event->thread;
    c->said[rows->count] = thread;
    rows->threads[rows->count++] = (struct table_thread){
        .first_record = event->position, .offset_ticks = thread.readings[0].offset_ticks};
    return CSY_OK;
}

static void note_time(struct archive_check *c, int128 ticks)
{
    c->least = !c->any || ticks < c->least ? ticks : c->least;
    c->greatest = !c->any || ticks > c->greatest ? ticks : c->greatest;
    c->any = true;
}

/* Interpolate the global time of a timestamp between two clock offsets, in units of 1/AGE_UNIT
 * ticks. Returns false if the timestamp is not between two offsets. */
static bool interpolate(const struct tracer_thread *thread, int64_t ticks, int128 *out)
{
    const struct tracer_reading *readings = thread->readings;
    size_t high = 1, last = thread->count - 1;
    if (ticks < readings[0].at_ticks || ticks > readings[last].at_ticks || last == 0)
        return false;
    BISECT(high, last, middle, readings[middle].at_ticks <= ticks);
    const struct tracer_reading *a = &readings[high - 1], *b = &readings[high];
    int128 run = (int128)b->at_ticks - a->at_ticks;
    int128 rise = (int128)b->offset_ticks - a->offset_ticks;
    if (run <= 0)
        return false;
    int128 on = rise * ((int128)ticks - a->at_ticks), offset = floor_div(on, run);
    int128 part = floor_div((on - offset * run) * AGE_UNIT, run);
    *out = ((int128)ticks + a->offset_ticks + offset) * AGE_UNIT + part;
    return true;
}

static csy_status check_event(void *user, const struct event *event, csy_error *error)
{
    struct archive_check *c = user;
    csy_status status = meet_clock(c, event, error);
    if (status)
        return status;
    const struct named_stamp *stamp = &event->stamp;
    if (c->check->drift) {
        const struct tracer_thread *thread = &c->said[event->thread];
        int128 global, begin = 0;
        if (!interpolate(thread, event->local_ticks, &global) ||
            (stamp->interval && !interpolate(thread, stamp->begin_ticks, &begin)))
            return check_fail_at(
                c->check, event->position,
                "the timestamp of this event is outside the range of the clock offsets", error);
        note_time(c, floor_div(global, AGE_UNIT));
        if (stamp->interval)
            note_time(c, floor_div(begin, AGE_UNIT));
        if (!fits_int64(floor_div(global, AGE_UNIT)) || !fits_int64(floor_div(begin, AGE_UNIT)))
            return check_fail_at(c->check, event->position,
                                 "the global time of this record does not fit 64 bits", error);
        return check_drift_event(c->check->drift, event, global, stamp->interval ? &begin : NULL,
                                 error);
    }
    int64_t offset = c->check->table.rows.threads[event->thread].offset_ticks;
    int128 global = placement_global(offset, event->local_ticks);
    note_time(c, global);
    if (stamp->interval)
        note_time(c, placement_global(offset, stamp->begin_ticks));
    if (!fits_int64(global))
        return check_fail_at(c->check, event->position,
                             "the global time of this record does not fit 64 bits", error);
    return check_partial_event(c->check->partial, event, (int64_t)global, error);
}

static bool same_deviation(double one, double other)
{
    return one <= other && one >= other;
}

/* Prove that threads state their clock's offset, and half the range of the offset as deviation. */
static csy_status compare_threads(const struct archive_check *c, int64_t shift_ticks,
                                  csy_error *error)
{
    const struct csy_trace *trace = c->check->trace;
    struct tracer_thread thread;
    uint32_t number;
    for (size_t i = 0; trace->source->tracer(trace, i, &thread); i++) {
        if (!texts_look(&c->clocks, thread.clock.bytes, thread.clock.size, &number))
            return fail_clock(c, &thread,
                              "the clock of this location is not defined in the archive", error);
        if (c->met[number] == NO_THREAD)
            continue;
        /* A thread of a drifting clock must state the offsets and deviations of its clock. */
        const uint32_t clock = c->met[number];
        const struct tracer_thread *first = &c->said[clock];
        int128 least, greatest;
        bool known, same = thread.count == first->count;
        for (size_t k = 0; k < thread.count && same && c->check->drift; k++) {
            const struct tracer_reading *reading = &thread.readings[k], *of = &first->readings[k];
            same = reading->at_ticks == of->at_ticks && reading->offset_ticks == of->offset_ticks &&
                   same_deviation(reading->deviation_ticks, of->deviation_ticks);
            bool bounded = check_drift_bounds(c->check->drift, clock, reading->at_ticks, &least,
                                              &greatest, &known);
            double far = bounded ? (double)(greatest - least) / (2.0 * AGE_UNIT) : HUGE_VAL;
            if (known && !same_deviation(reading->deviation_ticks, far))
                return fail_clock(c, &thread, NOT_HALF, error);
        }
        if (c->check->drift && !same)
            return fail_clock(c, &thread,
                              "the offsets of this location differ from the offsets of its clock",
                              error);
        if (c->check->drift)
            continue;
        const struct table_thread *row = &c->check->table.rows.threads[clock];
        if (thread.count != 2 || thread.readings[0].at_ticks != 0 ||
            thread.readings[1].at_ticks != 1)
            return fail_clock(c, &thread,
                              "the offsets of this location are not given at the times 0 and 1",
                              error);
        bool bounded = row->earliest_ticks != INT64_MIN && row->latest_ticks != INT64_MAX;
        double far =
            bounded ? (double)((int128)row->latest_ticks - row->earliest_ticks) / 2 : HUGE_VAL;
        for (size_t k = 0; k < thread.count; k++) {
            const struct tracer_reading *reading = &thread.readings[k];
            if (reading->offset_ticks != row->offset_ticks + shift_ticks)
                return fail_clock(
                    c, &thread, "the offset of this location differs from the offset of its clock",
                    error);
            if (!same_deviation(reading->deviation_ticks, far))
                return fail_clock(c, &thread, NOT_HALF, error);
        }
    }
    return CSY_OK;
}

/* Check that the least global time is the origin that the archive states. */
static csy_status check_origin(const struct archive_check *c, csy_error *error)
{
    int128 origin = c->origin_ticks;
    if (origin + (c->greatest - c->least) > INT64_MAX)
        origin = 0;
    return !c->any || c->least == origin ? CSY_OK
                                         : error_set(error, CSY_CHECK,
                                                     "%s: the smallest global time differs from "
                                                     "the one in the properties of the archive",
                                                     c->check->trace->name);
}

/* Shift offsets so that the least global time becomes 0, as in other formats. */
static csy_status move_origin(struct archive_check *c, int64_t *shift_ticks, csy_error *error)
{
    struct check *check = c->check;
    int128 least = check_least(check);
    csy_status status = check_origin(c, error);
    if (status)
        return status;
    /* not negative, because the least time is at least the origin */
    *shift_ticks = (int64_t)least;
    for (size_t t = 0; t < check->table.rows.count; t++) {
        int128 offset = (int128)check->table.rows.threads[t].offset_ticks - least;
        if (!fits_int64(offset))
            return check_fail_thread(check, t, "the offset of this thread does not fit 64 bits",
                                     error);
        check->table.rows.threads[t].offset_ticks = (int64_t)offset;
    }
    return CSY_OK;
}

csy_status check_archive(struct check *check, const struct progress *progress, csy_error *error)
{
    struct archive_check c = {.check = check};
    struct csy_trace *trace = check->trace;
    const struct taker taker = {.observe = check_event, .observer = &c};
    size_t tau = 0;
    int64_t shift_ticks = 0;
    const struct table_facts said = {trace->source->facts(trace, &c.origin_ticks),
                                     "the property cellsync::facts"};
    if (said.facts.size == 0)
        return error_set(error, CSY_INPUT,
                         "%s: the archive was not synchronized by cellsync: the properties "
                         "cellsync::facts and cellsync::crc are missing",
                         trace->name);
    csy_status status = check_facts(check, &said, error);
    status = status ? status : check_drift_read_rule(check, &said, error);
    status = status ? status : check_choices(check, said.where, "a partial order", error);
    check->rule.interpolated = true;
    status = status ? status : check_begin_order(check, error);
    /* List the clocks of the archive's threads, with the first thread of each. */
    struct tracer_thread thread;
    uint32_t number;
    bool added;
    for (size_t i = 0; !status && trace->source->tracer(trace, i, &thread); i++) {
        if (!texts_find(&c.clocks, thread.clock.bytes, thread.clock.size, &number, &added) ||
            (added && (!ARRAY_RESERVE(c.first, c.capacity, c.nfirst + 1) ||
                       !ARRAY_RESERVE(c.met, c.met_capacity, c.nfirst + 1)))) {
            status = error_memory(error);
        } else if (added) {
            c.met[c.nfirst] = NO_THREAD;
            c.first[c.nfirst++] = i;
        }
    }
    status = status ? status : trace->source->sum(trace, &check->crc32, error);
    if (!status && check->crc32 != check->table.original_crc32)
        status =
            error_set(error, CSY_CHECK,
                      "%s: the event files have CRC-32 0x%08" PRIx32
                      ", but the property cellsync::crc is 0x%08" PRIx32 ": a file has changed",
                      trace->name, check->crc32, check->table.original_crc32);
    check->survey.rules = timeline_default_rules(trace);
    status = status ? status : check_survey(check, &taker, progress, error);
    if (!status)
        status = check->drift ? check_origin(&c, error) : move_origin(&c, &shift_ticks, error);
    if (!status && check->partial)
        status = check_partial_order(check->partial, error);
    status = status ? status : check_find_reference(check, &tau, error);
    status = status ? status : check_prove_order(check, tau, error);
    status = status ? status : compare_threads(&c, shift_ticks, error);
    texts_fini(&c.clocks);
    FREE_ALL(c.first, c.met, c.said);
    return status ? status : trace_check_unchanged(trace, error);
}
