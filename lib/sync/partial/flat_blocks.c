/* Traces whose only order comes from blocks: their pairs and inversions. */
#include "sync/partial/flat_blocks.h"

#include "base/array.h"
#include "base/error.h"
#include "fast/fast.h"
#include "order/rebase.h"
#include "sync/outcome.h"
#include "sync/partial_order.h"
#include "sync/pass.h"
#include "sync/placement.h"
#include "sync/progress.h"

#include <stdlib.h>

/* --- Pairs --- */

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
    known.lo = x > flush->lo ? x : flush->lo; /* the record precedes its flush */
    if (flat->after == BLOCK_AFTER_BLOCK)
        status = flushes_end(&flat->flushes, &last, error);
    if (!status)
        status = flushes_add(&flat->flushes, &known, error);
    return status || !stamped ? status : flushes_end(&flat->flushes, flush, error);
}

void flat_blocks_fini(struct flat_blocks *flat)
{
    block_line_fini(&flat->line);
    flushes_fini(&flat->flushes);
}

csy_status flat_blocks_start(struct flat_blocks *flat, const struct csy_sync *sync,
                             const struct reduce_window *window, struct points *points,
                             csy_error *error)
{
    flat_blocks_fini(flat);
    *flat = (struct flat_blocks){
        .after = sync->trace->block_after,
        .line = {.sink = {take_record, take_flush, flat}, .match = sync->partial->match}};
    return flushes_init(&flat->flushes, points, window, error);
}

/* Add the pairs of spawns and joins. If nothing is added to constraints, these pairs and the clocks
 * imply all other constraints of spawns and joins. */
static csy_status take_lives(struct flat_blocks *flat, const struct points *lives, csy_error *error)
{
    csy_status status = CSY_OK;
    for (size_t e = 0; e < lives->nedges && !status; e++) {
        const struct order_edge *edge = &lives->edges[e];
        if (edge->kind != EDGE_SPAWN && edge->kind != EDGE_JOIN)
            continue;
        flat->has_lives = true;
        status =
            flushes_join(&flat->flushes, &lives->items[edge->from], &lives->items[edge->to], error);
    }
    return status;
}

static csy_status make_pairs(struct flat_blocks *flat, const struct csy_sync *sync,
                             struct pairs *out, csy_error *error)
{
    pairs_fini(out);
    csy_status status = take_lives(flat, &sync->partial->lives, error);
    return status ? status
                  : flushes_collect(&flat->flushes, sync->survey.threads.count, out, error);
}

csy_status flat_blocks_finish(struct flat_blocks *flat, struct csy_sync *sync, csy_error *error)
{
    struct match *match = sync->partial->match;
    uint64_t place;
    csy_status status = block_line_finish(&flat->line, error);
    match_set_thinned(
        match, &(struct match_thinned){.blocks = flat->line.blocks, .flushes = flat->line.stamped});
    if (!status)
        status = match_finish(match, &place, error);
    return status ? status : make_pairs(flat, sync, &sync->partial->pairs, error);
}

/* The global time of an event minus the global time of the first event, limited to the range of
 * x. */
static int64_t x_of_global(const struct csy_sync *sync, const struct event *event, int128 *first)
{
    int128 global = placement_of(sync, event->thread, event->local_ticks);
    *first = event->position == 0 ? global : *first;
    int128 x = global - *first;
    return (int64_t)(x >= X_MAX ? X_MAX - 1 : x <= -X_MAX ? 1 - X_MAX : x);
}

/* Read all events of the trace with x, or with global times in place of x. */
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

csy_status flat_blocks_pairs(struct csy_sync *sync, const struct reduce_window *window,
                             struct points *points, struct pairs *pairs,
                             const struct progress *progress, csy_error *error)
{
    struct flat_blocks flat = {.has_lives = false};
    csy_status status = flat_blocks_start(&flat, sync, window, points, error);
    if (!status)
        status = read_again(sync, &flat.line, false, progress, error);
    if (!status)
        status = make_pairs(&flat, sync, pairs, error);
    flat_blocks_fini(&flat);
    return status;
}

/* --- Inversions --- */

/* Greatest global times of the events that precede the next record of a location; INT64_MIN:
 * none. */
struct reached {
    int64_t own;   /* of the records of the location so far, and their predecessors */
    int64_t flush; /* of its last flush without a timestamp */
    bool held;     /* a record at time `at` is held, because it may be the last of its block */
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

/* Count an inversion if the record at time `at` is earlier than its predecessors. */
static void count_record(struct measuring *m, struct reached *reached, int64_t at)
{
    if (reached->own != INT64_MIN)
        outcome_note_inversion(m->imprecision, (int128)reached->own - at);
    raise(&reached->own, at);
}

/* Count the held record. last: the record is the last of its block. */
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
        if (!record->chained) {
            outcome_note_inversion(m->imprecision, (int128)*buffer - record->lo);
            return CSY_OK;
        }
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
    struct block_line line = {.sink = {measure_record, measure_flush, &m},
                              .match = sync->partial->match};
    csy_status status = read_again(sync, &line, true, progress, error);
    for (size_t l = 0; l < m.nlocations && !status; l++)
        count_held(&m, &m.locations[l], false);
    block_line_fini(&line);
    free(m.locations);
    free(m.buffers);
    return status;
}
