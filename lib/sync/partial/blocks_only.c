/* Finds constraints, and events in the wrong order, for traces where only blocks of records order
 * events. See blocks_only.h. */
#include "sync/partial/blocks_only.h"

#include "base/array.h"
#include "base/error.h"
#include "order/rebase.h"
#include "sync/outcome.h"
#include "sync/partial_order.h"
#include "sync/pass.h"
#include "sync/placement.h"

#include <stdlib.h>

/* --- The blocks of a trace -------------------------------------------------------------------- */

/* How a location uses buffers: unknown yet, without a buffer, in single records, or in blocks. */
enum way { WAY_NONE, WAY_NO_BUFFER, WAY_RECORDS, WAY_BLOCKS };

struct line_location {
    enum way way;
    bool open; /* true if the location's last block is not written (flushed) yet */
    uint32_t buffer;
    struct instant last; /* last record of the location */
};

static void block_line_fini(struct block_line *line)
{
    block_names_fini(&line->names);
    FREE_ALL(line->states, line->filled);
    *line = (struct block_line){0};
}

static csy_status close_block(struct block_line *line, uint32_t buffer, csy_error *error)
{
    uint32_t location = line->filled[buffer];
    if (location == NO_LOCATION)
        return CSY_OK;
    struct line_location *state = &line->states[location];
    line->filled[buffer] = NO_LOCATION;
    state->open = false;
    return line->sink.flush(line->sink.user, &state->last, state->last.lo, false, error);
}

/* End a block for which `record` states when it was flushed (written). */
static csy_status close_stamped(struct block_line *line, struct line_location *state,
                                const struct event_roles *roles, const struct instant *record,
                                csy_error *error)
{
    int128 lo = (int128)record->lo + roles->flush_lo, hi = (int128)record->lo + roles->flush_hi;
    struct instant flush = *record;
    if (lo <= -X_MAX || hi >= X_MAX)
        return error_set(error, CSY_INPUT, "the flush is 2^58 ticks or more from other timestamps");
    flush.lo = (int64_t)lo;
    flush.hi = (int64_t)hi;
    line->filled[record->buffer] = NO_LOCATION;
    state->open = false;
    line->stamped++;
    return line->sink.flush(line->sink.user, &flush, state->last.lo, true, error);
}

static csy_status take_block(struct block_line *line, const struct event *event,
                             struct line_location *state, const struct instant *record,
                             csy_error *error)
{
    const struct event_roles *roles = event->roles;
    uint32_t writer;
    bool begins, itself = roles->flush == FLUSH_ITSELF;
    csy_status status = block_names_take(&line->names, roles, record->location, record->buffer,
                                         &writer, &begins, error);
    if (status)
        return status;
    line->broken = line->broken || (!begins && !state->open) || (begins && itself);
    if (line->broken)
        return CSY_OK;
    line->blocks += begins;
    if (begins)
        status = close_block(line, record->buffer, error);
    if (itself) {
        status = close_stamped(line, state, roles, record, error);
        state->last = record->chained ? *record : state->last;
        return status ? status
                      : line->sink.record(line->sink.user, record, LINE_RECORD_FLUSHED, error);
    }
    if (!status)
        status = line->sink.record(line->sink.user, record,
                                   begins ? LINE_RECORD_BEGINS : LINE_RECORD_PLAIN, error);
    state->last = *record;
    state->open = true;
    line->filled[record->buffer] = record->location;
    return status || roles->flush == FLUSH_NONE ? status
                                                : close_stamped(line, state, roles, record, error);
}

csy_status blocks_only_event(struct block_line *line, const struct event *event, int64_t x,
                             csy_error *error)
{
    const struct event_roles *roles = event->roles;
    struct instant record = {.lo = x,
                             .hi = x,
                             .position = event->position,
                             .place = event->place,
                             .clock = event->thread,
                             .kind = INSTANT_END,
                             .chained = !roles->alone};
    csy_status status = match_find_location(line->match, event, &record.location, error);
    if (!status)
        status = match_find_buffer(line->match, event, &record.buffer, error);
    if (status || line->broken)
        return status;
    if (!ARRAY_EXTEND(line->states, line->nstates, line->states_capacity,
                      (size_t)record.location + 1, (struct line_location){.buffer = NO_BUFFER}) ||
        (record.buffer != NO_BUFFER &&
         !ARRAY_EXTEND(line->filled, line->nfilled, line->filled_capacity,
                       (size_t)record.buffer + 1, NO_LOCATION)))
        return error_memory(error);
    struct line_location *state = &line->states[record.location];
    bool block = roles->block.size > 0 || roles->flush != FLUSH_NONE;
    enum way way = block ? WAY_BLOCKS : record.buffer != NO_BUFFER ? WAY_RECORDS : WAY_NO_BUFFER;
    /* events that create or end locations, which are permitted only if the trace has all of them */
    size_t lives = roles->spawned ? 0 : roles->stream.size + roles->spawn.size + roles->join.size;
    line->broken =
        (lives + roles->send.size + roles->recv.size + roles->post.size + roles->wait.size +
             roles->enter.size + roles->leave.size + roles->members.size + roles->release.size +
             roles->acquire.size + roles->id.size + roles->after.size + roles->lacking >
         0) ||
        (state->way != WAY_NONE && (state->way != way || state->buffer != record.buffer ||
                                    state->last.clock != record.clock || x < state->last.lo));
    if (line->broken)
        return CSY_OK;
    if (line->lives && roles->spawned &&
        (state->way == WAY_NONE || roles->spawn.size + roles->join.size > 0)) {
        /* Pass the record to line->match, without its buffer and block. */
        struct event bare = *event;
        struct event_roles others = *roles;
        others.buffer = others.block = (csy_text){0};
        others.flush = FLUSH_NONE;
        bare.roles = &others;
        status = match_event(line->match, &bare, x, error);
    }
    state->way = way;
    state->buffer = record.buffer;
    if (!status && record.buffer != NO_BUFFER && line->filled[record.buffer] != record.location)
        status = close_block(line, record.buffer, error);
    if (!status && block)
        return take_block(line, event, state, &record, error);
    state->last = record;
    enum line_record what = way == WAY_RECORDS ? LINE_RECORD_PLACED : LINE_RECORD_PLAIN;
    return status ? status : line->sink.record(line->sink.user, &record, what, error);
}

static csy_status block_line_finish(struct block_line *line, csy_error *error)
{
    csy_status status = CSY_OK;
    for (uint32_t b = 0; b < line->nfilled && !status && !line->broken; b++)
        status = close_block(line, b, error);
    size_t nlives = line->lives ? line->lives->nlocations : 0;
    for (uint32_t l = 0; l < nlives && !status && !line->broken; l++) {
        const struct instant *last = &line->states[l].last;
        const struct point_record record = {.position = last->position,
                                            .place = last->place,
                                            .clock = last->clock,
                                            .location = last->location,
                                            .buffer = NO_BUFFER,
                                            .x = last->lo,
                                            .keyed = true};
        uint32_t begin, end;
        if (line->lives->locations[last->location].last.position != last->position)
            status = points_record(line->lives, &record, &begin, &end, error);
    }
    return status;
}

/* --- Pairs --- */

/* The last flush (write of a block) of a location. A later record of the location will be an upper
 * limit of its time. */
struct waiting_flush {
    uint32_t point;
    uint32_t place, buffer;
};

static csy_status grow(struct blocks_only *flat, const struct instant *instant, csy_error *error)
{
    size_t nclocks = flat->nclocks, nbuffers = flat->nbuffers;
    if (!ARRAY_EXTEND(flat->rates, flat->nclocks, flat->rates_capacity, (size_t)instant->clock + 1,
                      flat->rate_ppb) ||
        !ARRAY_EXTEND(flat->waiting, flat->nwaiting, flat->waiting_capacity,
                      (size_t)instant->location + 1, (struct waiting_flush){.point = NO_POINT}))
        return error_memory(error);
    if (instant->buffer != NO_BUFFER && instant->buffer >= nbuffers)
        flat->nbuffers = (size_t)instant->buffer + 1;
    if (flat->nclocks == nclocks && flat->nbuffers == nbuffers)
        return CSY_OK;
    return reduce_stream_grow(flat->stream, flat->nclocks, flat->nbuffers,
                              flat->rate_ppb > 0 ? flat->rates : NULL, error);
}

static csy_status remove_points(struct blocks_only *flat, csy_error *error)
{
    uint32_t *marks = reduce_stream_marks(flat->stream);
    if (!marks)
        return error_memory(error);
    for (size_t l = 0; l < flat->nwaiting; l++)
        if (flat->waiting[l].point != NO_POINT)
            marks[flat->waiting[l].point] = 1;
    reduce_stream_remove(flat->stream, marks);
    for (size_t l = 0; l < flat->nwaiting; l++)
        if (flat->waiting[l].point != NO_POINT)
            flat->waiting[l].point = marks[flat->waiting[l].point];
    free(marks);
    return CSY_OK;
}

/* Add an event. It comes after the point `after`, or NO_POINT. If `placed` is true, it also
 * comes after the event that was added to its buffer before. */
static csy_status add_point(struct blocks_only *flat, const struct instant *instant, bool placed,
                            uint32_t leaves, uint32_t after, uint32_t *out, csy_error *error)
{
    const struct order_edge edge = {.from = after, .key = NO_KEY, .kind = EDGE_FLUSH};
    struct instant point = *instant;
    point.chained = false;
    point.buffer = placed ? instant->buffer : NO_BUFFER;
    csy_status status = reduce_stream_add(
        flat->stream, &(struct reduce_stream_point){&point, leaves, &edge, after != NO_POINT}, out,
        error);
    if (!status)
        flat->points->items[*out].buffer = instant->buffer;
    return status;
}

/* `waits` is true if a later record is an upper limit of the flush's time. `last` is the record
 * before the flush, or NULL if it adds no limit. */
static csy_status add_flush(struct blocks_only *flat, const struct instant *flush, bool waits,
                            const struct instant *last, csy_error *error)
{
    uint32_t point = NO_POINT;
    csy_status status = grow(flat, flush, error);
    if (!status && reduce_stream_is_full(flat->stream))
        status = remove_points(flat, error);
    if (status)
        return status;
    uint32_t place = reduce_stream_places(flat->stream, flush->buffer);
    if (last)
        status = add_point(flat, last, false, 1, NO_POINT, &point, error);
    if (!status)
        status = add_point(flat, flush, true, waits, point, &point, error);
    if (!status && waits)
        flat->waiting[flush->location] = (struct waiting_flush){point, place, flush->buffer};
    return status;
}

static csy_status end_flush(struct blocks_only *flat, const struct instant *before,
                            csy_error *error)
{
    struct waiting_flush *flush =
        before->location < flat->nwaiting ? &flat->waiting[before->location] : NULL;
    uint32_t point;
    if (!flush || flush->point == NO_POINT)
        return CSY_OK;
    csy_status status = add_point(flat, before, false, 0, flush->point, &point, error);
    if (!status)
        reduce_stream_set_hi(flat->stream, flush->buffer, before->clock, flush->place, before->hi);
    flush->point = NO_POINT;
    return status;
}

static csy_status take_record(void *user, const struct instant *record, enum line_record what,
                              csy_error *error)
{
    struct blocks_only *flat = user;
    if (what == LINE_RECORD_PLACED)
        return add_flush(flat, record, false, NULL, error);
    return what == LINE_RECORD_BEGINS && flat->after == BLOCK_AFTER_FLUSH
               ? end_flush(flat, record, error)
               : CSY_OK;
}

static csy_status take_flush(void *user, const struct instant *flush, int64_t x, bool stamped,
                             csy_error *error)
{
    struct blocks_only *flat = user;
    struct instant last = *flush, known = *flush;
    csy_status status = CSY_OK;
    last.lo = last.hi = x;
    known.hi = stamped ? flush->hi : HI_NONE;
    if (flat->after == BLOCK_AFTER_BLOCK)
        status = end_flush(flat, &last, error);
    bool waits = !stamped && flat->after != BLOCK_AFTER_NONE;
    return status ? status : add_flush(flat, &known, waits, x > flush->lo ? &last : NULL, error);
}

void blocks_only_fini(struct blocks_only *flat)
{
    block_line_fini(&flat->line);
    reduce_stream_free(flat->stream);
    FREE_ALL(flat->rates, flat->waiting);
    *flat = (struct blocks_only){0};
}

csy_status blocks_only_start(struct blocks_only *flat, struct csy_sync *sync, int64_t window,
                             uint32_t rate_ppb, csy_error *error)
{
    struct partial *partial = sync->partial;
    static const uint32_t none = 0;
    blocks_only_fini(flat);
    *flat = (struct blocks_only){
        .points = &partial->points,
        .rate_ppb = rate_ppb,
        .after = sync->trace->block_after,
        .line = {.sink = {take_record, take_flush, flat}, .match = partial->match}};
    partial->window = window;
    const struct reduce_window how = {.ticks = window, .rate_ppb = rate_ppb > 0 ? &none : NULL};
    return reduce_stream_new(&partial->points, 0, 0, &how, NULL, &flat->stream, error);
}

static csy_status make_pairs(struct blocks_only *flat, struct csy_sync *sync, csy_error *error)
{
    struct partial *partial = sync->partial;
    const struct instant last = {.clock = (uint32_t)sync->survey.threads.count - 1,
                                 .buffer = NO_BUFFER};
    pairs_fini(&partial->pairs);
    csy_status status = sync->survey.threads.count > 0 ? grow(flat, &last, error) : CSY_OK;
    if (!status) {
        for (size_t e = 0; e < partial->lives.nedges && !status; e++) {
            const struct order_edge *edge = &partial->lives.edges[e];
            uint32_t point;
            if (edge->kind != EDGE_SPAWN && edge->kind != EDGE_JOIN)
                continue;
            flat->has_lives = true;
            status = add_point(flat, &partial->lives.items[edge->from], false, 1, NO_POINT, &point,
                               error);
            if (!status)
                status = add_point(flat, &partial->lives.items[edge->to], false, 0, point, &point,
                                   error);
            if (!status && reduce_stream_is_full(flat->stream))
                status = remove_points(flat, error);
        }
    }
    return status ? status : reduce_stream_collect(flat->stream, &partial->pairs, error);
}

csy_status blocks_only_finish(struct blocks_only *flat, struct csy_sync *sync, csy_error *error)
{
    struct match *match = sync->partial->match;
    uint64_t place;
    csy_status status = block_line_finish(&flat->line, error);
    *match_thinned(match) =
        (struct match_thinned){.blocks = flat->line.blocks, .flushes = flat->line.stamped};
    if (!status)
        status = match_finish(match, &place, error);
    return status ? status : make_pairs(flat, sync, error);
}

struct second_pass {
    struct csy_sync *sync;
    struct block_line *line;
    bool global;
    int128 first; /* global time of the trace's first event */
};

static csy_status take_event(void *user, const struct event *event, csy_error *error)
{
    struct second_pass *r = user;
    int64_t x = rebase_x(&r->sync->survey.rough, event->thread, event->local_ticks);
    if (r->global) {
        int128 global = placement_of(r->sync, event->thread, event->local_ticks);
        r->first = event->position == 0 ? global : r->first;
        int128 since = global - r->first;
        x = (int64_t)(since >= X_MAX ? X_MAX - 1 : since <= -X_MAX ? 1 - X_MAX : since);
    }
    csy_status status = blocks_only_event(r->line, event, x, error);
    return status ? trace_at_place(r->sync->trace, event->place, status, error) : CSY_OK;
}

static csy_status read_again(struct csy_sync *sync, struct block_line *line, bool global,
                             const struct progress *progress, csy_error *error)
{
    struct second_pass r = {sync, line, global, INT64_MAX};
    struct taker taker = {.observe = take_event, .observer = &r};
    csy_status status = pass_again(sync->trace, &sync->survey, NO_THREAD, &taker, progress, error);
    if (!status)
        status = block_line_finish(line, error);
    return status || !line->broken ? status : trace_refuse_changed(sync->trace, error);
}

csy_status blocks_only_again(struct csy_sync *sync, int64_t window, const struct progress *progress,
                             csy_error *error)
{
    struct blocks_only flat = {.has_lives = false};
    if (window == sync->partial->window)
        return CSY_OK;
    csy_status status = blocks_only_start(&flat, sync, window, 0, error);
    if (!status)
        status = read_again(sync, &flat.line, false, progress, error);
    if (!status)
        status = make_pairs(&flat, sync, error);
    blocks_only_fini(&flat);
    return status;
}

/* --- Inversions --- */

/* Greatest global times of events that came before a location's next record, or INT64_MIN. If the
 * next record has a lower time, it is counted as an inversion. */
struct reached {
    int64_t own;
    int64_t flush;
    /* true if the last record, at time `at`, is not counted yet, as it may be the last of its
     * block */
    bool held;
    int64_t at;
};

struct measurement {
    enum block_after after;
    csy_imprecision *imprecision;
    struct reached *locations;
    size_t nlocations, capacity;
    int64_t *buffers;
    size_t nbuffers, buffers_capacity;
};

static struct reached *reached_of(struct measurement *m, uint32_t location)
{
    return ARRAY_EXTEND(m->locations, m->nlocations, m->capacity, (size_t)location + 1,
                        (struct reached){.own = INT64_MIN, .flush = INT64_MIN})
               ? &m->locations[location]
               : NULL;
}

static int64_t *buffer_of(struct measurement *m, uint32_t buffer)
{
    return ARRAY_EXTEND(m->buffers, m->nbuffers, m->buffers_capacity, (size_t)buffer + 1, INT64_MIN)
               ? &m->buffers[buffer]
               : NULL;
}

static void count_record(struct measurement *m, struct reached *reached, int64_t at)
{
    if (reached->own != INT64_MIN)
        outcome_note_inversion(m->imprecision, (int128)reached->own - at);
    raise_ticks(&reached->own, at);
}

/* Count the record that was kept until it was known whether it is the last one of its block. */
static void count_held(struct measurement *m, struct reached *reached, bool last)
{
    if (!reached->held)
        return;
    if (last)
        raise_ticks(&reached->own, reached->flush);
    count_record(m, reached, reached->at);
    reached->held = false;
}

static csy_status measure_record(void *user, const struct instant *record, enum line_record what,
                                 csy_error *error)
{
    struct measurement *m = user;
    struct reached *reached = reached_of(m, record->location);
    if (!reached)
        return error_memory(error);
    if (what == LINE_RECORD_BEGINS && m->after == BLOCK_AFTER_FLUSH)
        raise_ticks(&reached->own, reached->flush);
    count_held(m, reached, false);
    if (what == LINE_RECORD_FLUSHED || what == LINE_RECORD_PLACED) {
        int64_t *buffer = buffer_of(m, record->buffer);
        if (!buffer)
            return error_memory(error);
        if (!record->chained) {
            outcome_note_inversion(m->imprecision, (int128)*buffer - record->lo);
            return CSY_OK;
        }
        raise_ticks(&reached->own, *buffer);
        count_record(m, reached, record->lo);
        if (what == LINE_RECORD_PLACED)
            raise_ticks(buffer, reached->own);
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
    struct measurement *m = user;
    struct reached *reached = reached_of(m, flush->location);
    int64_t *buffer = buffer_of(m, flush->buffer);
    (void)x;
    if (!reached || !buffer)
        return error_memory(error);
    count_held(m, reached, true);
    raise_ticks(buffer, reached->own);
    raise_ticks(buffer, flush->lo);
    reached->flush = stamped ? INT64_MIN : *buffer;
    return CSY_OK;
}

csy_status blocks_only_measure(struct csy_sync *sync, const struct progress *progress,
                               csy_error *error)
{
    struct measurement m = {.after = sync->trace->block_after, .imprecision = &sync->imprecision};
    struct block_line line = {.sink = {measure_record, measure_flush, &m},
                              .match = sync->partial->match};
    csy_status status = read_again(sync, &line, true, progress, error);
    for (size_t l = 0; l < m.nlocations && !status; l++)
        count_held(&m, &m.locations[l], false);
    block_line_fini(&line);
    FREE_ALL(m.locations, m.buffers);
    return status;
}
