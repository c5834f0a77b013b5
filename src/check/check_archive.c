/*
 * csy_check of an archive whose clocks were synchronized: its events are as they were, and each of
 * its threads has the offset of its clock.  cellsync-model(7), Guarantees.
 *
 *   event files --> CRC-32
 *   events, offsets --> global times --> order, then ends of bounds (check/check_partial.h)
 *
 * Global times in the archive begin at its origin, not at 0.
 */
#include "base/array.h"
#include "base/error.h"
#include "base/texts.h"
#include "check/check.h"
#include "check/check_partial.h"
#include "clock/global.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct archive_check {
    struct check *check;
    struct check_partial *partial;
    uint64_t origin_ticks;
    struct texts clocks; /* of all threads, */
    size_t *first;       /* by their numbers: the first thread of each, and */
    size_t nfirst, capacity;
    uint32_t *met; /* the clock that has been met, or NO_THREAD */
    size_t met_capacity;
    bool any;
    int128 least, greatest; /* of global times, and of begins */
};

static csy_status fail_clock(const struct archive_check *c, const struct tracer_thread *thread,
                             const char *what, csy_error *error)
{
    char shown[ERROR_ESCAPED_MAX];
    return error_set(error, CSY_CHECK, "%s: %s: %s", c->check->trace->name,
                     error_escape(shown, thread->thread.bytes, thread->thread.size), what);
}

/* Which clock each thread of the archive has. */
static csy_status list_clocks(struct archive_check *c, csy_error *error)
{
    const struct csy_trace *trace = c->check->trace;
    struct tracer_thread thread;
    uint32_t number;
    bool added;
    for (size_t i = 0; trace->source->tracer(trace, i, &thread); i++) {
        if (!texts_find(&c->clocks, thread.clock.bytes, thread.clock.size, &number, &added) ||
            (added && (!ARRAY_RESERVE(c->first, c->capacity, c->nfirst + 1) ||
                       !ARRAY_RESERVE(c->met, c->met_capacity, c->nfirst + 1))))
            return error_memory(error);
        if (added) {
            c->met[c->nfirst] = NO_THREAD;
            c->first[c->nfirst++] = i;
        }
    }
    return CSY_OK;
}

/* The offset of a clock is what its first thread says. */
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
        return check_fail_at(c->check, event->position, "its clock is none of the archive", error);
    if (thread.count == 0)
        return fail_clock(c, &thread, "its clock has no offset", error);
    if (!ARRAY_RESERVE(rows->threads, rows->capacity, rows->count + 1))
        return error_memory(error);
    c->met[number] = event->thread;
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

static csy_status check_event(void *user, const struct event *event, csy_error *error)
{
    struct archive_check *c = user;
    csy_status status = meet_clock(c, event, error);
    if (status)
        return status;
    int64_t offset = c->check->table.rows.threads[event->thread].offset_ticks;
    int128 global = placement_global(offset, event->local_ticks);
    note_time(c, global);
    if (event->stamp.interval)
        note_time(c, placement_global(offset, event->stamp.begin_ticks));
    if (!fits_int64(global))
        return check_fail_at(c->check, event->position, "its global time is beyond 64 bits", error);
    return check_partial_event(c->partial, event, (int64_t)global, error);
}

static csy_status start(void *user, struct taker *taker, csy_error *error)
{
    (void)error;
    *taker = (struct taker){.observe = check_event, .observer = user};
    return CSY_OK;
}

/* Half the width of a clock's bound, as it is written. */
static double deviation(const struct table_thread *thread)
{
    if (thread->earliest_ticks == INT64_MIN || thread->latest_ticks == INT64_MAX)
        return HUGE_VAL;
    return (double)((int128)thread->latest_ticks - thread->earliest_ticks) / 2;
}

/* All threads of a clock say its offset, for all times, and how well it is known. */
static csy_status compare_threads(const struct archive_check *c, int64_t shift_ticks,
                                  csy_error *error)
{
    const struct csy_trace *trace = c->check->trace;
    struct tracer_thread thread;
    uint32_t number;
    for (size_t i = 0; trace->source->tracer(trace, i, &thread); i++) {
        if (!texts_look(&c->clocks, thread.clock.bytes, thread.clock.size, &number))
            return fail_clock(c, &thread, "its clock is none of the archive", error);
        if (c->met[number] == NO_THREAD)
            continue;
        const struct table_thread *row = &c->check->table.rows.threads[c->met[number]];
        if (thread.count != 2 || thread.readings[0].at_ticks != 0 ||
            thread.readings[1].at_ticks != 1)
            return fail_clock(c, &thread, "its offset is not given at the times 0 and 1", error);
        double far = deviation(row);
        for (size_t k = 0; k < thread.count; k++) {
            const struct tracer_reading *reading = &thread.readings[k];
            if (reading->offset_ticks != row->offset_ticks + shift_ticks)
                return fail_clock(c, &thread, "its offset is not that of its clock", error);
            if (!(reading->deviation_ticks <= far && reading->deviation_ticks >= far))
                return fail_clock(c, &thread,
                                  "the deviation is not half of what the events leave to its clock",
                                  error);
        }
    }
    return CSY_OK;
}

/* Move global times so that they begin where those of other formats do. */
static csy_status move_origin(struct archive_check *c, int64_t *shift_ticks, csy_error *error)
{
    struct check *check = c->check;
    int128 least = 0, origin = c->origin_ticks;
    for (size_t t = 0; t < check->table.rows.count; t++) {
        int128 first = placement_global(check->table.rows.threads[t].offset_ticks,
                                        check->survey.threads.items[t].min_ticks);
        least = t == 0 || first < least ? first : least;
    }
    if (origin + (c->greatest - c->least) > INT64_MAX)
        origin = 0;
    if (c->any && c->least != origin)
        return error_set(error, CSY_CHECK, "%s: global times do not begin where the archive says",
                         check->trace->name);
    *shift_ticks = (int64_t)least; /* not below the origin, which is not below 0 */
    for (size_t t = 0; t < check->table.rows.count; t++) {
        int128 offset = (int128)check->table.rows.threads[t].offset_ticks - least;
        if (!fits_int64(offset))
            return check_fail_thread(check, t, "its offset is beyond 64 bits", error);
        check->table.rows.threads[t].offset_ticks = (int64_t)offset;
    }
    return CSY_OK;
}

static csy_status read_events(struct archive_check *c, const struct progress *progress,
                              csy_error *error)
{
    struct check *check = c->check;
    struct first_pass first = {.start = start, .user = c, .progress = progress};
    csy_status status = check->trace->source->sum(check->trace, &check->crc32, error);
    if (!status && check->crc32 != check->table.original_crc32)
        status = error_set(error, CSY_CHECK,
                           "%s: its event files have CRC-32 0x%08" PRIx32
                           ", the property cellsync::crc says 0x%08" PRIx32,
                           check->trace->name, check->crc32, check->table.original_crc32);
    check->survey.rules = timeline_default_rules(check->trace);
    return status ? status : pass_survey(check->trace, &check->survey, &first, error);
}

static csy_status prove(struct archive_check *c, csy_error *error)
{
    size_t tau;
    int64_t shift_ticks = 0;
    csy_status status = move_origin(c, &shift_ticks, error);
    if (!status)
        status = check_partial_order(c->partial, error);
    if (!status)
        status = check_find_reference(c->check, &tau, error);
    if (!status)
        status = check_partial_ends(c->partial, tau, error);
    if (!status)
        status = check_places(c->check, tau, error);
    return status ? status : compare_threads(c, shift_ticks, error);
}

/* What the line of facts cannot say of a partial order, and what only it says. */
static csy_status begin_partial(struct check *check, const struct table_facts *said,
                                struct check_partial **out, csy_error *error)
{
    const struct csy_trace *trace = check->trace;
    const struct table *table = &check->table;
    char *text = malloc(said->facts.size + 1);
    uint64_t latency = 0;
    csy_status status = text ? CSY_OK : error_memory(error);
    if (!status && csv_fact_find(said->facts, "latency", text) &&
        (!number_parse(text, &latency) || latency > INT64_MAX))
        status = error_set(error, CSY_INPUT, "%s: %s: latency is missing or malformed", trace->name,
                           said->where);
    free(text);
    if (!status && (table->ndropped > 0 || table->relax == CSY_RELAX_PAPER ||
                    table->center == CSY_CENTER_LOCAL))
        status = error_set(error, CSY_INPUT, "%s: %s: not that of a partial order", trace->name,
                           said->where);
    return status ? status : check_partial_new(check, (int64_t)latency, out, error);
}

csy_status check_archive(struct check *check, const struct progress *progress, csy_error *error)
{
    struct archive_check c = {.check = check};
    const struct csy_trace *trace = check->trace;
    const struct table_facts said = {trace->source->facts(trace, &c.origin_ticks),
                                     "the property cellsync::facts"};
    if (said.facts.size == 0)
        return error_set(error, CSY_INPUT,
                         "%s: not a synchronized archive: it has no properties cellsync::facts and "
                         "cellsync::crc",
                         trace->name);
    char *text = malloc(said.facts.size + 1);
    csy_status status =
        text ? check_facts(trace, &said, &check->table, text, error) : error_memory(error);
    if (!status && csv_fact_find(said.facts, "drift", text))
        status = error_set(error, CSY_INPUT,
                           "%s: its clocks drift, and it has their times to 1 tick only: of such "
                           "times nothing can be proved",
                           trace->name);
    free(text);
    if (!status)
        status = begin_partial(check, &said, &c.partial, error);
    if (!status)
        status = list_clocks(&c, error);
    if (!status)
        status = read_events(&c, progress, error);
    if (!status)
        status = prove(&c, error);
    check_partial_free(c.partial);
    texts_fini(&c.clocks);
    free(c.first);
    free(c.met);
    return status ? status : trace_check_unchanged(trace, error);
}
