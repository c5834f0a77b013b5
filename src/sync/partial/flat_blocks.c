/* Traces of which nothing is known but blocks. */
#include "sync/partial/flat_blocks.h"

#include "base/array.h"
#include "base/error.h"
#include "fast/fast.h"
#include "graph/flushes.h"
#include "order/block_line.h"
#include "order/rebase.h"
#include "sync/outcome.h"
#include "sync/pass.h"
#include "sync/placement.h"
#include "sync/progress.h"

#include <stdlib.h>

/* --- Pairs --- */

struct flat_blocks {
    enum block_after after;
    struct block_line line;
    struct flushes flushes;
    bool has_lives; /* locations that are spawned or joined */
};

static csy_status take_record(void *user, const struct instant *record, enum line_record what,
                              csy_error *error)
{
    struct flat_blocks *flat = user;
    csy_status status = CSY_OK;
    bool placed = what == LINE_RECORD_PLACED;
    if (placed)
        status = flushes_add(&flat->flushes, record, error);
    if (!status && (placed || (what == LINE_RECORD_BEGINS && flat->after == BLOCK_AFTER_FLUSH)))
        status = flushes_end(&flat->flushes, record, error);
    return status;
}

static csy_status take_flush(void *user, const struct instant *flush, int64_t x, bool stamped,
                             csy_error *error)
{
    struct flat_blocks *flat = user;
    struct instant last = *flush, known = *flush;
    csy_status status = CSY_OK;
    last.lo = last.hi = x;
    known.lo = x > flush->lo ? x : flush->lo; /* the record is before its flush */
    if (flat->after == BLOCK_AFTER_BLOCK)
        status = flushes_end(&flat->flushes, &last, error);
    if (!status)
        status = flushes_add(&flat->flushes, &known, error);
    return status || !stamped ? status : flushes_end(&flat->flushes, flush, error);
}

static csy_status init(struct flat_blocks *flat, enum block_after after, struct points *points,
                       int64_t window, csy_error *error)
{
    *flat = (struct flat_blocks){.after = after};
    flat->line.sink = (struct block_sink){take_record, take_flush, flat};
    return flushes_init(&flat->flushes, points, window, error);
}

static void fini(struct flat_blocks *flat)
{
    block_line_fini(&flat->line);
    flushes_fini(&flat->flushes);
}

/* What spawns and joins come to.  Where no more is added this is all, as the rest follows by way of
 * their clocks. */
static csy_status take_lives(struct flat_blocks *flat, csy_error *error)
{
    const struct points *points;
    csy_status status =
        flat->line.lives ? block_lives_finish(flat->line.lives, &points, error) : CSY_OK;
    for (size_t e = 0; flat->line.lives && !status && e < points->nedges; e++) {
        const struct order_edge *edge = &points->edges[e];
        if (edge->kind != EDGE_SPAWN && edge->kind != EDGE_JOIN)
            continue;
        flat->has_lives = true;
        status = flushes_join(&flat->flushes, &points->items[edge->from], &points->items[edge->to],
                              error);
    }
    return status;
}

static void report(const struct flat_blocks *flat, csy_matched *out)
{
    *out = (csy_matched){.locations = flat->line.locations.count};
    if (flat->line.lives)
        *out = *block_lives_report(flat->line.lives);
    out->buffers = flat->line.buffers.count;
    out->blocks = flat->line.blocks;
    out->flushes = flat->line.stamped;
}

/* The global time of an event, from that of the first one on: as far apart as x can be. */
static int64_t x_of_global(const struct csy_sync *sync, const struct event *event, int128 *first)
{
    int128 global = placement_of(sync, event->thread, event->local_ticks);
    *first = event->position == 0 ? global : *first;
    int128 x = global - *first;
    return (int64_t)(x >= X_MAX ? X_MAX - 1 : x <= -X_MAX ? 1 - X_MAX : x);
}

/* All events of the trace, at x or at global times. */
static csy_status read_again(struct csy_sync *sync, struct block_line *line, bool global,
                             const struct progress *progress, csy_error *error)
{
    struct survey *survey = &sync->survey;
    struct csy_trace *trace = sync->trace;
    struct timeline timeline;
    struct event event;
    bool more = true;
    int128 first = INT64_MAX;
    struct fast_blocks *fast = NULL;
    csy_status status = timeline_init(&timeline, trace, &survey->rules, &survey->lore, error);
    if (!status && !global)
        status = fast_blocks_new(&timeline, &survey->rough, line, &fast, error);
    while (!status) {
        status = timeline_next(&timeline, &event, &more, error);
        if (status || !more)
            break;
        if (event.thread >= survey->threads.count) {
            status = trace_refuse_changed(trace, error);
            break;
        }
        int64_t x = global ? x_of_global(sync, &event, &first)
                           : rebase_x(&survey->rough, event.thread, event.local_ticks);
        status = block_line_event(line, &event, x, error);
        if (status)
            status = trace_at_place(trace, event.place, status, error);
        else if (fast)
            status = fast_blocks_take(fast, &event, x, error);
        progress_note(progress, trace, event.position);
    }
    if (!status)
        status = block_line_finish(line, error);
    fast_blocks_free(fast);
    timeline_fini(&timeline);
    return status || !line->broken ? status : trace_refuse_changed(trace, error);
}

/* One pass with what is known (NULL: nothing), up to where the trace says more; *again as
 * timeline_finish has it. */
static csy_status survey_with(struct csy_sync *sync, const struct unwrap_lore *known,
                              struct block_line *line, const struct progress *progress, bool *again,
                              csy_error *error)
{
    struct survey *survey = &sync->survey;
    struct timeline timeline;
    struct event event;
    bool more = true;
    int64_t x;
    struct fast_blocks *fast = NULL;
    *again = false;
    csy_status status = timeline_init(&timeline, sync->trace, &survey->rules, known, error);
    if (!status)
        status = fast_blocks_new(&timeline, &survey->rough, line, &fast, error);
    while (!status && !line->broken) {
        status = timeline_next(&timeline, &event, &more, error);
        if (status || !more)
            break;
        status = rebase_alone(&survey->rough, event.thread, event.local_ticks, &x, error);
        if (!status)
            status = block_line_event(line, &event, x, error);
        if (status)
            status = trace_at_place(sync->trace, event.place, status, error);
        else if (fast)
            status = fast_blocks_take(fast, &event, x, error);
        progress_note(progress, sync->trace, event.position);
    }
    fast_blocks_free(fast);
    if (!status && !line->broken)
        status = survey_end(survey, &timeline, again, error);
    if (!status)
        status = block_line_finish(line, error);
    timeline_fini(&timeline);
    return status;
}

/* Where local times were provisional, or gaps must not be assumed, the trace is read again with
 * what was learnt. */
static csy_status survey(struct csy_sync *sync, struct flat_blocks *flat, int64_t window,
                         const struct progress *progress, csy_error *error)
{
    struct survey *survey = &sync->survey;
    struct points *points = &sync->partial->points;
    bool again = false;
    csy_status status = init(flat, sync->trace->block_after, points, window, error);
    if (!status)
        status = survey_with(sync, NULL, &flat->line, progress, &again, error);
    if (status || flat->line.broken ||
        (!again && !(survey->rules.strict && survey->clock_report.assumed > 0)))
        return status;
    struct unwrap_lore known = survey->lore;
    struct timeline_rules rules = survey->rules;
    survey->lore = (struct unwrap_lore){0};
    survey_fini(survey);
    *survey = (struct survey){.rules = rules};
    fini(flat);
    status = init(flat, sync->trace->block_after, points, window, error);
    if (!status)
        status = survey_with(sync, &known, &flat->line, progress, &again, error);
    unwrap_lore_fini(&known);
    return status;
}

static csy_status make_pairs(struct csy_sync *sync, struct flat_blocks *flat, int64_t window,
                             csy_error *error)
{
    struct partial *partial = sync->partial;
    partial->window = window;
    pairs_fini(&partial->pairs);
    return flushes_collect(&flat->flushes, sync->survey.threads.count, &partial->pairs, error);
}

csy_status flat_blocks_read(struct csy_sync *sync, const csy_options *options,
                            const struct progress *progress, bool *flat, csy_error *error)
{
    struct partial *partial = sync->partial;
    struct flat_blocks blocks;
    int64_t window = 0;
    if (options->relax == CSY_RELAX_GIVEN &&
        (!fraction_twice_ceil(options->delta, &window) || window >= WALK_MAX))
        window = 0; /* it will be refused */
    csy_status status = survey(sync, &blocks, window, progress, error);
    *flat = !blocks.line.broken;
    if (!status && *flat)
        status = take_lives(&blocks, error);
    if (!status && *flat)
        status = make_pairs(sync, &blocks, window, error);
    if (!status && *flat) {
        report(&blocks, &partial->report);
        sync->matched = &partial->report;
        partial->buffers = blocks.line.buffers;
        partial->lives = blocks.line.lives;
        partial->has_lives = blocks.has_lives;
        blocks.line.buffers = (struct texts){0};
        blocks.line.lives = NULL;
    }
    fini(&blocks);
    return status;
}

csy_status flat_blocks_again(struct csy_sync *sync, int64_t window, const struct progress *progress,
                             csy_error *error)
{
    struct partial *partial = sync->partial;
    struct flat_blocks flat;
    if (window == partial->window)
        return CSY_OK;
    csy_status status = init(&flat, sync->trace->block_after, &partial->points, window, error);
    if (!status)
        status = read_again(sync, &flat.line, false, progress, error);
    if (!status)
        status = make_pairs(sync, &flat, window, error);
    fini(&flat);
    return status;
}

/* --- Inversions --- */

/* Greatest global times that are known to be before something; INT64_MIN: nothing is. */
struct reached {
    int64_t own;   /* the location's records so far, and what is before them */
    int64_t flush; /* its last flush, where that was not stamped */
    bool held;     /* a record that may be the last of its block, at: */
    int64_t at;
};

struct measuring {
    enum block_after after;
    csy_imprecision *imprecision;
    struct reached *locations;
    size_t nlocations, capacity;
    int64_t *buffers;
    size_t nbuffers, buffers_capacity;
};

static void raise(int64_t *to, int64_t value)
{
    *to = value > *to ? value : *to;
}

static struct reached *reached_of(struct measuring *m, uint32_t location)
{
    if (!ARRAY_RESERVE(m->locations, m->capacity, (size_t)location + 1))
        return NULL;
    for (; m->nlocations <= location; m->nlocations++)
        m->locations[m->nlocations] = (struct reached){.own = INT64_MIN, .flush = INT64_MIN};
    return &m->locations[location];
}

static int64_t *buffer_of(struct measuring *m, uint32_t buffer)
{
    if (!ARRAY_RESERVE(m->buffers, m->buffers_capacity, (size_t)buffer + 1))
        return NULL;
    for (; m->nbuffers <= buffer; m->nbuffers++)
        m->buffers[m->nbuffers] = INT64_MIN;
    return &m->buffers[buffer];
}

/* A record at that time comes after what is known to be before its location's next one. */
static void count_record(struct measuring *m, struct reached *reached, int64_t at)
{
    if (reached->own != INT64_MIN)
        outcome_note_inversion(m->imprecision, (int128)reached->own - at);
    raise(&reached->own, at);
}

/* The record that is held, which is the last of its block or is not. */
static void count_held(struct measuring *m, struct reached *reached, bool last)
{
    if (!reached->held)
        return;
    if (last)
        raise(&reached->own, reached->flush);
    count_record(m, reached, reached->at);
    reached->held = false;
}

static csy_status measure_record(void *user, const struct instant *record, enum line_record what,
                                 csy_error *error)
{
    struct measuring *m = user;
    struct reached *reached = reached_of(m, record->location);
    if (!reached)
        return error_memory(error);
    if (what == LINE_RECORD_BEGINS && m->after == BLOCK_AFTER_FLUSH)
        raise(&reached->own, reached->flush);
    count_held(m, reached, false);
    if (what == LINE_RECORD_FLUSHED || what == LINE_RECORD_PLACED) {
        int64_t *buffer = buffer_of(m, record->buffer);
        if (!buffer)
            return error_memory(error);
        raise(&reached->own, *buffer);
        count_record(m, reached, record->lo);
        if (what == LINE_RECORD_PLACED)
            raise(buffer, reached->own);
        return CSY_OK;
    }
    reached->held = m->after == BLOCK_AFTER_BLOCK;
    reached->at = record->lo;
    if (!reached->held)
        count_record(m, reached, record->lo);
    return CSY_OK;
}

static csy_status measure_flush(void *user, const struct instant *flush, int64_t x, bool stamped,
                                csy_error *error)
{
    struct measuring *m = user;
    struct reached *reached = reached_of(m, flush->location);
    int64_t *buffer = buffer_of(m, flush->buffer);
    (void)x;
    if (!reached || !buffer)
        return error_memory(error);
    count_held(m, reached, true);
    raise(buffer, reached->own);
    raise(buffer, flush->lo);
    reached->flush = stamped ? INT64_MIN : *buffer;
    return CSY_OK;
}

csy_status flat_blocks_measure(struct csy_sync *sync, const struct progress *progress,
                               csy_error *error)
{
    struct measuring m = {.after = sync->trace->block_after, .imprecision = &sync->imprecision};
    struct block_line line = {.sink = {measure_record, measure_flush, &m}};
    csy_status status = read_again(sync, &line, true, progress, error);
    for (size_t l = 0; l < m.nlocations && !status; l++)
        count_held(&m, &m.locations[l], false);
    block_line_fini(&line);
    free(m.locations);
    free(m.buffers);
    return status;
}
