/* Finds out which events of a trace precede others, from their roles (trace/event.h), for example
 * as the send or the receive of a message. The results are points and edges (clock/points.h). */
#include "order/match.h"

#include "base/array.h"
#include "base/error.h"
#include "base/put.h"
#include "base/sort.h"
#include "clock/points.h"
#include "order/block_names.h"
#include "order/matching.h"
#include "order/rebase.h"
#include "trace/offsets.h"
#include "trace/trace.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Blocks: records that were written to a buffer together. The write is called a flush. It becomes a
 * point, an instant that can precede or follow others (clock/points.h).
 *
 * Flushes are in the order of the buffer; records are in the order of their location. The flush of
 * a block follows the last record of the block. If a flush has timestamps, they limit its time.
 * Otherwise, depending on the trace (trace/event.h), the flush precedes the first or the last
 * record of the next block of its location and buffer, or no known record. See doc/algorithms.md,
 * Partial orders.
 *
 * A flush has the position of the last record of its block, or of the event that is the flush. */

#define NO_BLOCK UINT32_MAX

struct block {
    /* position and place of the last record, or of the event with the role FLUSH_ITSELF */
    uint64_t position, place;
    uint32_t location, buffer;
    uint32_t next;        /* next block that this location has written to this buffer, or
                           * NO_BLOCK */
    uint32_t first, last; /* first and last record of the block, as indexes in points->items, or
                           * NO_POINT */
    uint32_t itself;      /* event that wrote the block to the buffer, as an index in points->items,
                           * or NO_POINT */
    uint32_t clock;
    /* time of the last record plus the approximate offset of its clock (order/rebase.h) */
    int64_t last_x;
    int64_t lo, hi; /* earliest and latest time of a flush with timestamps */
    bool stamped;
};

struct blocks {
    struct points *points;
    enum block_after after;
    struct block *items;
    size_t count, capacity;
    struct block_names names;
    uint32_t *last; /* for each pair of a location and a buffer: its last block, or NO_BLOCK */
    size_t nlast, last_capacity;
    uint32_t *run; /* [l]: number of the block that contains the last record of location l, or
                    * NO_BLOCK */
    size_t nrun, run_capacity;
    uint64_t stamped;
};

/* Find the number of the block that a record belongs to, or NO_BLOCK. A block is a group of records
 * that were written to a buffer together. Sets `keyed` and `buffer` of *record, so call this before
 * points are made from *record. Returns CSY_INPUT if records contradict each other about blocks;
 * the message names no place in the file. */
static csy_status blocks_enter(struct blocks *blocks, const struct event *event,
                               struct point_record *record, uint32_t *block, csy_error *error)
{
    const struct event_roles *roles = event->roles;
    csy_status status = CSY_OK;
    *block = NO_BLOCK;
    bool says = roles->block.size > 0 || roles->flush != FLUSH_NONE;
    if (!says && blocks->count == 0)
        return CSY_OK;
    if (says) {
        uint32_t writer;
        bool begins;
        status = block_names_take(&blocks->names, roles, record->location, record->buffer, &writer,
                                  &begins, error);
        if (!status && begins) {
            if (blocks->count == NO_BLOCK)
                return error_set(error, CSY_MEMORY, "more than 2^32 - 1 blocks");
            uint32_t added = (uint32_t)blocks->count;
            if (!ARRAY_EXTEND(blocks->last, blocks->nlast, blocks->last_capacity,
                              blocks->names.locations.count, NO_BLOCK) ||
                !ARRAY_PUSH(blocks->items, blocks->count, blocks->capacity,
                            (struct block){.location = record->location,
                                           .buffer = record->buffer,
                                           .next = NO_BLOCK,
                                           .first = NO_POINT,
                                           .last = NO_POINT,
                                           .itself = NO_POINT}))
                return error_memory(error);
            if (blocks->last[writer] != NO_BLOCK)
                blocks->items[blocks->last[writer]].next = added;
            blocks->last[writer] = added;
        }
        if (!status)
            *block = blocks->last[writer];
    }
    if (!status && !ARRAY_EXTEND(blocks->run, blocks->nrun, blocks->run_capacity,
                                 (size_t)record->location + 1, NO_BLOCK))
        status = error_memory(error);
    if (status)
        return status;
    uint32_t run = blocks->run[record->location];
    uint32_t next = roles->flush == FLUSH_ITSELF ? NO_BLOCK : *block;
    if (run != next) {
        if (run != NO_BLOCK)
            status =
                points_keep_last(blocks->points, record->location, &blocks->items[run].last, error);
        record->keyed |= *block != NO_BLOCK;
    }
    record->keyed |= roles->flush == FLUSH_ITSELF;
    blocks->run[record->location] = next;
    if (*block != NO_BLOCK)
        /* the flush of the block, not its records, has a place in the order of the buffer */
        record->buffer = NO_BUFFER;
    return status;
}

static csy_status blocks_note(struct blocks *blocks, const struct event *event,
                              const struct point_record *record, uint32_t number, uint32_t end,
                              csy_error *error)
{
    if (number == NO_BLOCK)
        return CSY_OK;
    struct block *block = &blocks->items[number];
    block->position = record->position;
    block->place = record->place;
    block->clock = record->clock;
    if (block->first == NO_POINT)
        block->first = end;
    if (event->roles->flush == FLUSH_ITSELF)
        block->itself = end;
    else
        block->last_x = record->x;
    if (event->roles->flush == FLUSH_NONE)
        return CSY_OK;
    blocks->stamped++;
    int128 lo = (int128)record->x + event->roles->flush_lo,
           hi = (int128)record->x + event->roles->flush_hi;
    if (lo <= -X_MAX || hi >= X_MAX)
        return error_set(error, CSY_INPUT, "the flush is 2^58 ticks or more from other timestamps");
    block->stamped = true;
    block->lo = (int64_t)lo;
    block->hi = (int64_t)hi;
    return CSY_OK;
}

static csy_status add_edge(struct points *points, uint32_t from, uint32_t to, csy_error *error)
{
    return from == NO_POINT || to == NO_POINT
               ? CSY_OK
               : points_edge(points, &(struct order_edge){from, to, 0, NO_KEY, EDGE_FLUSH}, error);
}

struct by_position {
    uint64_t position;
    uint32_t block;
};

/* Time: O(blocks log blocks). */
static csy_status blocks_finish(struct blocks *blocks, csy_error *error)
{
    csy_status status = CSY_OK;
    if (blocks->count == 0)
        return CSY_OK;
    struct by_position *order = malloc(blocks->count * sizeof *order);
    if (!order)
        return error_memory(error);
    for (uint32_t l = 0; l < blocks->nrun && !status; l++)
        if (blocks->run[l] != NO_BLOCK)
            status =
                points_keep_last(blocks->points, l, &blocks->items[blocks->run[l]].last, error);
    for (uint32_t b = 0; b < blocks->count; b++)
        order[b] = (struct by_position){blocks->items[b].position, b};
    SORT(order, blocks->count, compare_numbers);
    points_come_late(blocks->points);
    for (size_t i = 0; i < blocks->count && !status; i++) {
        const struct block *block = &blocks->items[order[i].block];
        const struct block *next = block->next == NO_BLOCK ? NULL : &blocks->items[block->next];
        struct instant flush = {.lo = block->lo,
                                .hi = block->hi,
                                .position = block->position,
                                .place = block->place,
                                .clock = block->clock,
                                .location = block->location,
                                .buffer = block->buffer};
        uint32_t out, before = block->itself;
        if (!block->stamped) {
            bool last = next && blocks->after == BLOCK_AFTER_BLOCK && next->last != NO_POINT;
            before = !next || blocks->after == BLOCK_AFTER_NONE ? NO_POINT
                     : last                                     ? next->last
                                                                : next->first;
            const struct instant *item = before == NO_POINT ? NULL : &blocks->points->items[before];
            flush.lo = block->last_x;
            flush.hi = item && item->clock == block->clock ? item->hi : HI_NONE;
        }
        status = points_apart(blocks->points, &flush, INSTANT_FLUSH, &out, error);
        if (!status)
            status = add_edge(blocks->points, block->last, out, error);
        if (!status)
            status = add_edge(blocks->points, out, before, error);
    }
    free(order);
    return status;
}

/* --- Matching ------------------------------------------------------------------------------ */

/* A record that must come after the record with this id. `to` is its index in points->items. */
struct after {
    uint32_t id, to;
    int64_t latency_ticks;
};

enum { NUMBER_SLOTS = 64 };

struct match {
    struct matching matching;
    struct blocks blocks;
    struct texts locations, buffers, ids;
    /* names of threads; a location's name may be a thread and a stream of this thread */
    struct texts runners;
    uint32_t *runner_of; /* for each location: number of its thread */
    size_t nrunner_of, runner_of_capacity;
    uint32_t last; /* location of the previous event, or NO_LOCATION */
    struct {
        uint32_t number, location;
    } numbered[NUMBER_SLOTS]; /* cache of locations; `number` is 0 in a free slot */
    uint32_t *first; /* [l]: index in points->items where the first record of location l ends, or
                      * NO_POINT */
    size_t first_capacity;
    char *text; /* memory for the name of a location with a stream */
    size_t text_capacity;
    bool store_all;
    bool names_clocks; /* true if records may name other clocks */
    const struct measured_offsets *offsets;
    struct match_thinned thinned;
    uint32_t *named; /* [i]: index in points->items of the record with the id number i, or
                      * NO_POINT */
    size_t named_capacity;
    struct after *afters;
    size_t nafters, afters_capacity;
};

csy_status match_new(struct points *points, int64_t latency_ticks, const struct csy_trace *trace,
                     struct match **out, csy_error *error)
{
    struct match *match = calloc(1, sizeof *match);
    if (!match)
        return error_memory(error);
    match->matching.points = points;
    match->matching.latency_ticks = latency_ticks;
    match->blocks.points = points;
    match->blocks.after = trace ? trace->block_after : BLOCK_AFTER_NONE;
    match->matching.sends_known = !trace || trace->sends != SENDS_UNKNOWN;
    match->matching.loose = trace && trace->loose;
    match->matching.place = trace ? trace->source->place : "record";
    match->matching.limits.latency_max_ticks = INT64_MAX;
    match->offsets = trace ? trace->offsets : NULL;
    match->names_clocks =
        match->offsets || (trace && (trace->lines.columns.order[CSV_OTHER_CLOCK] != CSV_NO_COLUMN ||
                                     trace->metadata.orders.compare));
    match->last = NO_LOCATION;
    *out = match;
    return CSY_OK;
}

void match_set_latency_max(struct match *match, int64_t ticks)
{
    match->matching.limits.latency_max_ticks = ticks;
}

void match_store_all(struct match *match, bool all)
{
    match->store_all = all;
}

void match_free(struct match *match)
{
    if (!match)
        return;
    for (size_t i = 0; i < END_KINDS; i++)
        free(match->matching.ends[i].items);
    for (size_t i = 0; i < KEY_SPACES; i++)
        texts_fini(&match->matching.texts[i]);
    FREE_ALL(match->matching.room, match->matching.members, match->matching.lost,
             match->matching.limits.longest, match->matching.limits.moments,
             match->matching.limits.compared, match->matching.limits.clocks, match->blocks.items,
             match->blocks.last, match->blocks.run);
    block_names_fini(&match->blocks.names);
    texts_fini(&match->runners);
    FREE_ALL(match->runner_of, match->first, match->text);
    texts_fini(&match->locations);
    texts_fini(&match->buffers);
    texts_fini(&match->ids);
    FREE_ALL(match->named, match->afters, match);
}

static csy_status find(struct texts *texts, const char *text, size_t size, uint32_t *out,
                       csy_error *error)
{
    return texts_find(texts, text, size, out, NULL) ? CSY_OK : error_memory(error);
}

bool match_has_key(csy_text keys, csy_text key)
{
    csy_text other;
    while (match_next_key(&keys, &other))
        if (other.size == key.size && memcmp(other.bytes, key.bytes, key.size) == 0)
            return true;
    return false;
}

static csy_status look_up_location(struct match *match, const struct event *event, uint32_t *out,
                                   csy_error *error)
{
    csy_text runner = event->roles->location, location;
    if (runner.size == 0)
        runner = (csy_text){event->stamp.thread, event->stamp.thread_size};
    location = runner;
    if (event->roles->stream.size > 0) {
        /* Make the name of a location in a stream, such as "spe1 in pool0". */
        size_t size = event->roles->location.size + 4 + event->roles->stream.size;
        if (!ARRAY_RESERVE(match->text, match->text_capacity, size))
            return error_memory(error);
        char *at =
            put_bytes(match->text, event->roles->location.bytes, event->roles->location.size);
        put_bytes(put_text(at, " in "), event->roles->stream.bytes, event->roles->stream.size);
        location = (csy_text){match->text, size};
    }
    csy_status status = find(&match->locations, location.bytes, location.size, out, error);
    if (status || match->locations.count == match->nrunner_of)
        return status;
    if (!ARRAY_RESERVE(match->runner_of, match->runner_of_capacity, match->locations.count) ||
        !ARRAY_RESERVE(match->first, match->first_capacity, match->locations.count))
        return error_memory(error);
    match->nrunner_of = match->locations.count;
    match->first[*out] = NO_POINT;
    return find(&match->runners, runner.bytes, runner.size, &match->runner_of[*out], error);
}

csy_status match_find_location(struct match *match, const struct event *event, uint32_t *out,
                               csy_error *error)
{
    csy_status status = CSY_OK;
    uint32_t number = event->stamp.number, slot = number % NUMBER_SLOTS;
    if (event->stamp.same && match->last != NO_LOCATION) {
        *out = match->last;
    } else if (number > 0 && match->numbered[slot].number == number) {
        *out = match->numbered[slot].location;
    } else {
        status = look_up_location(match, event, out, error);
        match->numbered[slot].number = status ? 0 : number;
        match->numbered[slot].location = *out;
    }
    match->last = status ? NO_LOCATION : *out;
    return status;
}

csy_status match_find_buffer(struct match *match, const struct event *event, uint32_t *out,
                             csy_error *error)
{
    const csy_text *buffer = &event->roles->buffer;
    *out = NO_BUFFER;
    return buffer->size > 0 ? find(&match->buffers, buffer->bytes, buffer->size, out, error)
                            : CSY_OK;
}

static bool has_role(const struct event_roles *roles)
{
    return roles->send.size + roles->recv.size + roles->post.size + roles->wait.size +
               roles->enter.size + roles->leave.size + roles->members.size + roles->release.size +
               roles->acquire.size + roles->spawn.size + roles->join.size + roles->id.size +
               roles->after.size + roles->same.size + roles->other_clock.size + roles->lacking >
           0;
}

/* Add an event to points->items: its end and, if necessary, its begin. If the begin has a later
 * time than the end, the begin counts as unknown. */
static csy_status add_record(struct match *match, const struct event *event, int64_t x,
                             struct match_end *end, csy_error *error)
{
    const struct event_roles *roles = event->roles;
    const struct named_stamp *stamp = &event->stamp;
    struct point_record record = {
        .position = event->position, .place = event->place, .clock = event->thread, .x = x};
    csy_status status = match_find_location(match, event, &record.location, error);
    if (!status)
        status = match_find_buffer(match, event, &record.buffer, error);
    if (status)
        return status;
    bool first = match->first[record.location] == NO_POINT && roles->spawned && !roles->alone;
    record.keyed = match->store_all || first || has_role(roles);
    record.alone = roles->alone || match->matching.loose;
    end->begin_unknown = stamp->interval ? stamp->begin_ticks > stamp->time_ticks : roles->late;
    record.interval = stamp->interval && !end->begin_unknown;
    if (record.interval) {
        int128 begin = (int128)stamp->begin_ticks - stamp->time_ticks + x;
        if (begin <= -X_MAX)
            return error_set(error, CSY_INPUT,
                             "the begin is 2^58 ticks or more before other events");
        record.begin_x = (int64_t)begin;
    }
    uint32_t block;
    status = blocks_enter(&match->blocks, event, &record, &block, error);
    if (!status)
        status = points_record(match->matching.points, &record, &end->begin, &end->end, error);
    if (!status && first)
        match->first[record.location] = end->end;
    return status ? status : blocks_note(&match->blocks, event, &record, block, end->end, error);
}

static csy_status add_end(struct match *match, csy_end kind, csy_text key, struct match_end end,
                          csy_error *error)
{
    struct matching *m = &match->matching;
    struct match_ends *ends = &m->ends[kind];
    csy_status status = find(&m->texts[matching_space(kind)], key.bytes, key.size, &end.key, error);
    if (status)
        return status;
    return ARRAY_PUSH(ends->items, ends->count, ends->capacity, end) ? CSY_OK : error_memory(error);
}

/* Find the number of an id. A record may have this id, or follow the record that has it. */
static csy_status find_id(struct match *match, csy_text key, uint32_t *out, csy_error *error)
{
    size_t before = match->ids.count;
    csy_status status = find(&match->ids, key.bytes, key.size, out, error);
    if (status || match->ids.count == before)
        return status;
    if (!ARRAY_RESERVE(match->named, match->named_capacity, match->ids.count))
        return error_memory(error);
    match->named[*out] = NO_POINT;
    return CSY_OK;
}

/* Note the ids of a record, and the ids of the records that it follows. */
static csy_status add_ids(struct match *match, const struct event_roles *roles, uint32_t point,
                          csy_error *error)
{
    csy_text keys = roles->id, key;
    uint32_t id;
    csy_status status = CSY_OK;
    while (!status && match_next_key(&keys, &key)) {
        char escaped[ERROR_ESCAPED_MAX];
        status = find_id(match, key, &id, error);
        if (!status && match->named[id] != NO_POINT)
            status = error_set(error, CSY_INPUT, "two rows have the id '%s'",
                               error_escape(escaped, key.bytes, key.size));
        if (!status)
            match->named[id] = point;
    }
    for (keys = roles->after; !status && match_next_key(&keys, &key);) {
        struct after after = {.to = point,
                              .latency_ticks = roles->has_latency ? roles->latency_ticks : 0};
        status = find_id(match, key, &after.id, error);
        if (!status && !ARRAY_PUSH(match->afters, match->nafters, match->afters_capacity, after))
            status = error_memory(error);
    }
    return status;
}

/* Set the number of tokens that a channel can hold: the greatest capacity in any record. */
static csy_status note_room(struct match *match, uint64_t capacity, csy_text keys, csy_error *error)
{
    struct matching *m = &match->matching;
    csy_text key;
    csy_status status = CSY_OK;
    while (!status && capacity > 0 && match_next_key(&keys, &key)) {
        uint32_t number;
        status = find(&m->texts[KEYS_TOKENS], key.bytes, key.size, &number, error);
        if (!status && !ARRAY_EXTEND(m->room, m->nroom, m->room_capacity, (size_t)number + 1, 0))
            status = error_memory(error);
        if (!status && m->room[number] < capacity)
            m->room[number] = capacity;
    }
    return status;
}

/* --- What limits are made of --- */

static csy_status add_moments(struct match *match, const struct event_roles *roles,
                              const struct match_end *end, csy_error *error)
{
    struct matching *m = &match->matching;
    struct match_limits *limits = &m->limits;
    csy_text keys = roles->same, key;
    csy_status status = CSY_OK;
    while (!status && match_next_key(&keys, &key)) {
        struct match_moment moment = {.end = end->end, .within_ticks = roles->within_ticks};
        status = find(&m->texts[KEYS_MOMENTS], key.bytes, key.size, &moment.key, error);
        if (status)
            break;
        if (!ARRAY_PUSH(limits->moments, limits->nmoments, limits->moments_capacity, moment))
            return error_memory(error);
    }
    return status;
}

static csy_status find_clock(struct match *match, const char *name, size_t size, uint32_t *out,
                             csy_error *error)
{
    struct match_limits *limits = &match->matching.limits;
    csy_status status = find(&match->matching.texts[KEYS_CLOCKS], name, size, out, error);
    if (!status && !ARRAY_EXTEND(limits->clocks, limits->nclocks, limits->clocks_capacity,
                                 (size_t)*out + 1, (struct match_clock){.clock = NO_POINT}))
        status = error_memory(error);
    return status;
}

/* Store the name of an event's clock. If the clock has no name of its own, this is the name of the
 * thread. In a PDT trace, only the PPE's clock gets a name: the decrementers of the SPEs repeat
 * their readings, so a reading does not identify an instant. */
static csy_status note_clock(struct match *match, const struct event *event, int64_t x,
                             csy_error *error)
{
    const struct named_stamp *stamp = &event->stamp;
    const struct record *record = event->record;
    bool own = stamp->clock_size == 0;
    csy_text name = {own ? stamp->thread : stamp->clock,
                     own ? stamp->thread_size : stamp->clock_size};
    uint32_t key;
    if (record && record->spe)
        return CSY_OK;
    if (record)
        name = (csy_text){EVENT_PPE, strlen(EVENT_PPE)};
    csy_status status = find_clock(match, name.bytes, name.size, &key, error);
    if (status)
        return status;
    struct match_clock *clock = &match->matching.limits.clocks[key];
    int128 shift = (int128)x - (record ? event->local_ticks : stamp->time_ticks);
    if (clock->clock == NO_POINT && fits_int64(shift))
        *clock = (struct match_clock){event->thread, (int64_t)shift};
    return CSY_OK;
}

static csy_status add_ends(struct match *match, const struct event_roles *roles,
                           const struct match_end *end, const struct match_end *leave,
                           csy_error *error)
{
    const struct {
        csy_end kind;
        csy_text keys;
    } kinds[] = {{CSY_END_SEND, roles->send},       {CSY_END_RECV, roles->recv},
                 {CSY_END_POST, roles->post},       {CSY_END_WAIT, roles->wait},
                 {CSY_END_ENTER, roles->enter},     {CSY_END_LEAVE, roles->leave},
                 {CSY_END_RELEASE, roles->release}, {CSY_END_ACQUIRE, roles->acquire}};
    csy_status status = CSY_OK;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        csy_end kind = kinds[i].kind;
        csy_text keys = kinds[i].keys, key;
        bool locks = kind == CSY_END_RELEASE || kind == CSY_END_ACQUIRE;
        while (!status && match_next_key(&keys, &key)) {
            struct match_end item = kind == CSY_END_LEAVE ? *leave : *end;
            /* if a record without a begin both enters and leaves, its only time is the time of
             * leaving */
            if (kind == CSY_END_ENTER)
                item.begin_unknown |= end->begin == end->end && match_has_key(roles->leave, key);
            if (locks)
                item.turn = roles->turn;
            if (!locks || roles->has_turn) {
                status = add_end(match, kind, key, item, error);
                continue;
            }
            status =
                find(&match->matching.texts[KEYS_LOCKS], key.bytes, key.size, &item.key, error);
            if (!status)
                matching_leave_out(&match->matching, kind, CSY_LEFT_NO_TURN, &item);
        }
    }
    /* the key lists locations; which of them have records is known only after the last event */
    if (!status && roles->spawn.size > 0)
        status = add_end(match, CSY_END_SPAWN, roles->spawn, *end, error);
    if (!status && roles->join.size > 0)
        status = add_end(match, CSY_END_JOIN, roles->join, *end, error);
    if (!status)
        status = note_room(match, roles->capacity, roles->post, error);
    return status ? status : note_room(match, roles->capacity, roles->wait, error);
}

csy_status match_event(struct match *match, const struct event *event, int64_t x, csy_error *error)
{
    struct matching *m = &match->matching;
    struct match_limits *limits = &m->limits;
    const struct event_roles *roles = event->roles;
    struct match_end end = {.sync = roles->sync, .shared = roles->shared};
    end.posted = roles->posting == POSTING_BEGIN ? POSTED_BEGIN : POSTED_UNKNOWN;
    if (roles->posting == POSTING_GIVEN) {
        int128 posted = (int128)roles->posted_ticks - event->stamp.time_ticks + x;
        end.posted = posted > -X_MAX && posted < X_MAX ? (int64_t)posted : POSTED_UNKNOWN;
    }
    end.latency_ticks = roles->has_latency ? roles->latency_ticks : LATENCY_USUAL;
    csy_status status = add_record(match, event, x, &end, error);
    if (!status && roles->lost) {
        int128 since = (int128)roles->lost_ticks - event->stamp.time_ticks + x;
        int64_t lost = since > -X_MAX ? (int64_t)since : -X_MAX;
        if (!ARRAY_EXTEND(m->lost, m->nlost, m->lost_capacity, (size_t)event->thread + 1,
                          INT64_MAX))
            return error_memory(error);
        if (lost < m->lost[event->thread])
            m->lost[event->thread] = lost;
    }
    if (!status && match->names_clocks)
        status = note_clock(match, event, x, error);
    if (status || !has_role(roles))
        return status;
    struct match_end leave = end;
    if (roles->recv.size > 0 || roles->after.size > 0)
        /* if the event also has a role `recv` or `after`, its latency belongs to that role */
        leave.latency_ticks = LATENCY_USUAL;
    status = add_ends(match, roles, &end, &leave, error);
    if (!status && roles->members.size > 0) {
        struct member_end member = {leave, roles->collective};
        status = find(&m->texts[KEYS_GROUPS], roles->members.bytes, roles->members.size,
                      &member.end.key, error);
        if (!status && !ARRAY_PUSH(m->members, m->nmembers, m->members_capacity, member))
            status = error_memory(error);
    }
    if (!status && roles->has_latency_max && roles->recv.size > 0) {
        if (!ARRAY_PUSH(limits->longest, limits->nlongest, limits->longest_capacity,
                        (struct match_longest){end.end, roles->latency_max_ticks}))
            return error_memory(error);
    }
    if (!status)
        status = add_moments(match, roles, &end, error);
    if (!status && roles->other_clock.size > 0) {
        struct match_compared compared = {.begin = end.begin,
                                          .end = end.end,
                                          .other_ticks = roles->other_ticks,
                                          .within_ticks = roles->within_ticks};
        status = find_clock(match, roles->other_clock.bytes, roles->other_clock.size, &compared.key,
                            error);
        if (!status &&
            !ARRAY_PUSH(limits->compared, limits->ncompared, limits->compared_capacity, compared))
            status = error_memory(error);
    }
    for (unsigned kind = 0; kind < END_KINDS && roles->lacking >> kind && !status; kind++) {
        if (!(roles->lacking >> kind & 1))
            continue;
        struct match_end lacking = end;
        status = find(&m->texts[matching_space(kind)], "?", 1, &lacking.key, error);
        if (!status)
            matching_leave_out(m, (csy_end)kind, CSY_LEFT_SHORT, &lacking);
    }
    return status ? status : add_ids(match, roles, end.end, error);
}

struct match_thinned *match_thinned(struct match *match)
{
    return &match->thinned;
}

/* Add a measured offset from a file. `key` is the number of the clock's name. */
static csy_status add_reading(struct match *match, uint32_t key, int64_t ticks, uint32_t *out,
                              csy_error *error)
{
    const struct match_clock *clock = &match->matching.limits.clocks[key];
    int128 x = (int128)ticks + clock->shift_ticks;
    if (clock->clock == NO_POINT)
        return error_set(error, CSY_INPUT, "no record has this clock");
    if (x >= X_MAX || x <= -X_MAX)
        return error_set(error, CSY_INPUT,
                         "the time is 2^58 ticks or more from the first time of its clock");
    const struct instant reading = {.lo = (int64_t)x, .hi = (int64_t)x, .clock = clock->clock};
    return points_apart(match->matching.points, &reading, INSTANT_READING, out, error);
}

static csy_status add_offset(struct match *match, const struct measured_offset *offset,
                             csy_error *error)
{
    struct matching *m = &match->matching;
    uint32_t clock, other, begin, end, reading, key = NO_KEY;
    const char *called = offset->clock;
    csy_status status = find_clock(match, called, strlen(called), &clock, error);
    if (!status)
        status = find_clock(match, offset->other_clock, strlen(offset->other_clock), &other, error);
    if (!status)
        status = add_reading(match, clock, offset->begin_ticks, &begin, error);
    if (!status)
        status = add_reading(match, clock, offset->time_ticks, &end, error);
    if (!status) {
        called = offset->other_clock;
        status = clock == other ? error_set(error, CSY_INPUT, "both threads have the same clock")
                                : add_reading(match, other, offset->other_ticks, &reading, error);
    }
    char text[2 * ERROR_ESCAPED_MAX + 32];
    int size =
        snprintf(text, sizeof text, "%.*s (%.*s: line %" PRIu64 ")", ERROR_ESCAPED_MAX - 1,
                 offset->other_clock, ERROR_ESCAPED_MAX - 1, match->offsets->name, offset->line);
    if (!status)
        status = points_key(m->points, text, (size_t)size, &key, error);
    if (!status)
        status = matching_limits(
            m, (const uint32_t[]){end, reading, begin},
            &(struct order_limit){0, 0, offset->within_ticks, key, LIMIT_OFFSET, offset->line},
            error);
    char escaped[ERROR_ESCAPED_MAX];
    return status == CSY_INPUT
               ? error_prefix(error, status, "%s: line %" PRIu64 ": %s", match->offsets->name,
                              offset->line, error_escape(escaped, called, strlen(called)))
               : status;
}

/* The locations of a thread of the program, and the records that spawn and join the thread. */
struct life {
    uint32_t first_location; /* index of the first location, or NO_LOCATION */
    const struct match_end *spawn, *join;
    bool several; /* true if the thread has several spawns or several joins */
};

/* Returns the element of `lives` for the first thread in the list that has records, or NULL. `list`
 * is the number of a list of thread names. */
static struct life *find_life(const struct matching *m, const struct texts *runners,
                              struct life *lives, uint32_t list)
{
    csy_text rest = texts_text(&m->texts[KEYS_LIVES], list), key;
    while (match_next_key(&rest, &key)) {
        uint32_t number;
        if (texts_look(runners, key.bytes, key.size, &number))
            return &lives[number];
    }
    return NULL;
}

/* Make the edges of spawns and joins. A spawn precedes the first record of each location of its
 * thread, and a join follows the last records. Leaves out threads with several spawns or joins. */
static csy_status match_lives(struct match *match, csy_error *error)
{
    struct matching *m = &match->matching;
    const struct texts *runners = &match->runners;
    size_t nlives = runners->count, nlocations = match->locations.count;
    if (m->ends[CSY_END_SPAWN].count + m->ends[CSY_END_JOIN].count == 0)
        return CSY_OK;
    struct life *lives = calloc(nlives + 1, sizeof *lives);
    uint32_t *next_location = malloc((nlocations + 1) * sizeof *next_location);
    csy_status status = lives && next_location ? CSY_OK : error_memory(error);
    for (size_t i = 0; i < nlives && !status; i++)
        lives[i] = (struct life){.first_location = NO_LOCATION};
    for (size_t i = nlocations; i-- > 0 && !status;) {
        struct life *life = &lives[match->runner_of[i]];
        next_location[i] = life->first_location;
        life->first_location = (uint32_t)i;
    }
    for (csy_end kind = CSY_END_SPAWN; kind <= CSY_END_JOIN && !status; kind++)
        for (size_t i = 0; i < m->ends[kind].count; i++) {
            const struct match_end *end = &m->ends[kind].items[i];
            struct life *life = find_life(m, runners, lives, end->key);
            if (!life) {
                matching_leave_out(m, kind, CSY_LEFT_UNMATCHED, end);
                continue;
            }
            const struct match_end **of = kind == CSY_END_SPAWN ? &life->spawn : &life->join;
            life->several |= *of != NULL;
            *of = end;
        }
    for (size_t i = 0; i < nlives && !status; i++) {
        const struct life *life = &lives[i];
        if (life->several)
            continue;
        bool spawns = life->spawn && !life->spawn->begin_unknown;
        if (life->spawn && !spawns)
            matching_leave_out(m, CSY_END_SPAWN, CSY_LEFT_NO_BEGIN, life->spawn);
        m->report.spawns += spawns;
        m->report.joins += life->join != NULL;
        for (uint32_t l = life->first_location; l != NO_LOCATION && !status; l = next_location[l]) {
            struct order_edge join = {NO_POINT, NO_POINT, 0, NO_KEY, EDGE_JOIN};
            if (spawns)
                status = points_edge(m->points,
                                     &(struct order_edge){life->spawn->begin, match->first[l], 0,
                                                          NO_KEY, EDGE_SPAWN},
                                     error);
            if (!life->join)
                continue;
            join.to = life->join->end;
            if (!status)
                status = points_keep_last(m->points, l, &join.from, error);
            if (!status)
                status = points_edge(m->points, &join, error);
        }
    }
    for (csy_end kind = CSY_END_SPAWN; kind <= CSY_END_JOIN && !status; kind++)
        for (size_t i = 0; i < m->ends[kind].count; i++) {
            const struct match_end *end = &m->ends[kind].items[i];
            const struct life *life = find_life(m, runners, lives, end->key);
            if (life && life->several)
                matching_leave_out(m, kind, CSY_LEFT_SEVERAL_LIVES, end);
        }
    FREE_ALL(lives, next_location);
    return status;
}

csy_status match_finish(struct match *match, uint64_t *place, csy_error *error)
{
    struct matching *m = &match->matching;
    m->report.locations = match->runners.count;
    m->report.buffers = match->buffers.count;
    m->report.blocks = match->blocks.count;
    m->report.flushes = match->blocks.stamped;
    csy_status status = blocks_finish(&match->blocks, error);
    if (!status) {
        struct points *points = match->matching.points;
        char escaped[ERROR_ESCAPED_MAX];
        for (size_t i = 0; i < match->nafters; i++) {
            const struct after *after = &match->afters[i];
            const csy_text id = texts_text(&match->ids, after->id);
            uint32_t from = match->named[after->id];
            *place = points->items[after->to].place;
            if (from == NO_POINT)
                return error_set(error, CSY_INPUT, "after: no row has the id '%s'",
                                 error_escape(escaped, id.bytes, id.size));
            struct order_edge edge = {from, after->to, after->latency_ticks, NO_KEY, EDGE_AFTER};
            status = points_edge(points, &edge, error);
            if (status)
                return status;
        }
        match->matching.report.afters += match->nafters;
    }
    if (!status)
        status = matching_messages(m, error);
    if (!status)
        status = matching_moments(m, error);
    if (!status)
        status = matching_compared(m, error);
    if (status == CSY_INPUT && m->limits.place > 0)
        *place = m->limits.place;
    for (size_t i = 0; match->offsets && i < match->offsets->count && !status; i++) {
        status = add_offset(match, &match->offsets->items[i], error);
        if (status)
            *place = TRACE_NO_PLACE;
    }
    if (!status)
        status = matching_groups(m, error);
    const struct match_thinned *thinned = &match->thinned;
    m->report.messages += thinned->messages;
    m->report.several = thinned->raw.known ? thinned->several : m->report.several;
    m->report.groups += thinned->groups;
    m->report.enters += thinned->enters;
    m->report.leaves += thinned->leaves;
    m->report.blocks += thinned->blocks;
    m->report.flushes += thinned->flushes;
    m->unused.counts[CSY_END_SEND][CSY_LEFT_UNMATCHED] += thinned->unmatched[0];
    m->unused.counts[CSY_END_RECV][CSY_LEFT_UNMATCHED] += thinned->unmatched[1];
    if (!status)
        status = matching_members(m, error);
    if (!status)
        status = matching_locks(m, error);
    if (!status)
        status = match_lives(match, error);
    if (!status)
        matching_unused(m);
    return status ? status : points_finish(m->points, error);
}

csy_status match_name_clock(struct match *match, csy_text name, uint32_t clock, int64_t shift_ticks,
                            csy_error *error)
{
    uint32_t key;
    csy_status status = find_clock(match, name.bytes, name.size, &key, error);
    if (!status)
        match->matching.limits.clocks[key] = (struct match_clock){clock, shift_ticks};
    return status;
}

struct matching *match_matching(struct match *match)
{
    return &match->matching;
}

const csy_matched *match_report(const struct match *match)
{
    return &match->matching.report;
}

csy_text match_location(const struct match *match, uint32_t location)
{
    return texts_text(&match->locations, location);
}

csy_text match_buffer(const struct match *match, uint32_t buffer)
{
    return texts_text(&match->buffers, buffer);
}
