/* Drops constraints that other constraints imply, in traces where only sends, receives, and other
 * roles order the events. */
#include "sync/partial/tight.h"

#include "base/array.h"
#include "base/error.h"
#include "base/sort.h"
#include "graph/pair_table.h"
#include "order/loose.h"
#include "sync/options.h"

#include <stdlib.h>
#include <string.h>

#define NO_CLOCK UINT32_MAX

enum { CACHE = 1024 };

/* A constraint. The name of its message or group is the text at keys + key_at. */
struct item {
    struct loose_end from, to;
    int64_t latency_ticks;
    uint64_t place;
    uint32_t key_at, key_size;
    uint16_t kind;
    bool limit;
};

struct known {
    bool valid;
    uint32_t s, t;
    int64_t from_x, to_x;
    int64_t weight;
};

struct tight {
    int64_t rate_ppb, window_ticks;
    uint32_t reference; /* clock that does not drift, or NO_CLOCK if unknown */
    size_t all;
    struct item *items;
    size_t count, capacity;
    size_t limit; /* sort_out is called when there are so many items */
    bool dropped;
    char *keys;
    size_t keys_size, keys_capacity;
    struct known cache[CACHE];
};

static int64_t weight_of(const struct loose_end *from, const struct loose_end *to,
                         int64_t latency_ticks)
{
    return nearest_int64((int128)to->x - from->x - latency_ticks);
}

/* Returns how much a clock can gain or lose between two readings, in units of 1/RATE_UNIT ticks. */
static int128 gain_between(const struct tight *tight, uint32_t clock, int64_t a, int64_t b)
{
    int128 apart = a > b ? (int128)a - b : (int128)b - a;
    return clock == tight->reference ? 0 : tight->rate_ppb * apart;
}

/* Returns true if the constraint from `from` to `to` adds nothing to the constraint `known` of the
 * same two clocks, so that it can be dropped. */
static bool follows(const struct tight *tight, const struct known *known,
                    const struct loose_end *from, const struct loose_end *to, int64_t weight)
{
    int128 margin = (int128)tight->window_ticks * (from->joint + to->joint);
    int128 least = (known->weight + margin) * RATE_UNIT;
    if (tight->rate_ppb > 0)
        least += gain_between(tight, from->clock, from->x, known->from_x) +
                 gain_between(tight, to->clock, to->x, known->to_x);
    return least <= (int128)weight * RATE_UNIT;
}

/* Returns true if the greatest rate of a clock implies a constraint between two of its readings. */
static bool follows_from_clock(const struct tight *tight, const struct loose_end *from,
                               const struct loose_end *to, int64_t weight)
{
    int128 margin = (int128)tight->window_ticks * (from->joint + to->joint);
    return from->clock == to->clock &&
           margin * RATE_UNIT + gain_between(tight, from->clock, from->x, to->x) <=
               (int128)weight * RATE_UNIT;
}

static struct known known_of(const struct loose_end *from, const struct loose_end *to,
                             int64_t weight)
{
    return (struct known){true, from->clock, to->clock, from->x, to->x, weight};
}

static int compare_items(const void *a, const void *b)
{
    const struct item *x = a, *y = b;
    if (x->from.clock != y->from.clock || x->to.clock != y->to.clock)
        return COMPARE_THEN(x->from.clock, y->from.clock, COMPARE(x->to.clock, y->to.clock));
    if (x->from.x != y->from.x || x->to.position != y->to.position)
        return COMPARE_THEN(x->from.x, y->from.x, COMPARE(x->to.position, y->to.position));
    return 4 * COMPARE(x->from.position, y->from.position) +
           2 * COMPARE(x->latency_ticks, y->latency_ticks) + COMPARE(x->key_at, y->key_at);
}

/* Drop constraints that other constraints imply. The constraints of two clocks are sorted by the
 * time of the first clock, so comparing each with the last few before it is enough. */
static csy_status sort_out(struct tight *tight, csy_error *error)
{
    /* The constraints that stay are items[0] to items[n - 1]. Those of the current two clocks begin
     * at items[first]. */
    size_t n = 0, first = 0;
    SORT(tight->items, tight->count, compare_items);
    for (size_t i = 0; i < tight->count; i++) {
        const struct item item = tight->items[i];
        int64_t weight = weight_of(&item.from, &item.to, item.latency_ticks);
        const struct known own = known_of(&item.from, &item.to, weight);
        if (n == first || tight->items[n - 1].from.clock != item.from.clock ||
            tight->items[n - 1].to.clock != item.to.clock)
            first = n;
        if (follows_from_clock(tight, &item.from, &item.to, weight))
            continue;
        if (n > first) {
            const struct item *top = &tight->items[n - 1];
            const struct known before =
                known_of(&top->from, &top->to, weight_of(&top->from, &top->to, top->latency_ticks));
            if (follows(tight, &before, &item.from, &item.to, weight))
                continue;
        }
        for (; n > first; n--) {
            const struct item *top = &tight->items[n - 1];
            if (!follows(tight, &own, &top->from, &top->to,
                         weight_of(&top->from, &top->to, top->latency_ticks)))
                break;
        }
        tight->items[n++] = item;
    }
    tight->dropped |= n < tight->count;
    tight->count = n;
    tight->limit = n + n / 2 + tight->all;
    char *keys = malloc(tight->keys_size + 1);
    size_t size = 0;
    if (!keys)
        return error_memory(error);
    for (size_t i = 0; i < tight->count; i++) {
        struct item *item = &tight->items[i];
        if (item->key_size)
            memcpy(keys + size, tight->keys + item->key_at, item->key_size);
        item->key_at = (uint32_t)size;
        size += item->key_size;
    }
    free(tight->keys);
    tight->keys_capacity = tight->keys_size + 1;
    tight->keys = keys;
    tight->keys_size = size;
    return CSY_OK;
}

/* Double the memory for constraints, but not beyond the limit. */
static bool reserve_item(struct tight *tight)
{
    size_t most = tight->limit > tight->count ? tight->limit : tight->count + 1;
    size_t room = tight->capacity < most / 2 ? 2 * tight->capacity + 64 : most;
    if (tight->count < tight->capacity)
        return true;
    struct item *items = realloc(tight->items, room * sizeof *items);
    if (!items)
        return false;
    tight->items = items;
    tight->capacity = room;
    return true;
}

static csy_status tight_take(void *user, const struct loose_edge *edge, csy_error *error)
{
    struct tight *tight = user;
    const struct loose_end *from = &edge->from, *to = &edge->to;
    int64_t weight = weight_of(from, to, edge->latency_ticks);
    if (tight->dropped) {
        struct known *known =
            &tight->cache[(from->clock * UINT32_C(0x9e3779b1) + to->clock) % CACHE];
        bool same = known->valid && known->s == from->clock && known->t == to->clock;
        if (follows_from_clock(tight, from, to, weight) ||
            (same && follows(tight, known, from, to, weight)))
            return CSY_OK;
        *known = known_of(from, to, weight);
    }
    if (tight->count >= tight->limit) {
        csy_status status = sort_out(tight, error);
        if (status)
            return status;
    }
    size_t size = edge->key.size;
    if (tight->keys_size + size > UINT32_MAX)
        return error_set(error, CSY_MEMORY, "keys of order of more than 4 GiB");
    if (!reserve_item(tight) ||
        !ARRAY_RESERVE(tight->keys, tight->keys_capacity, tight->keys_size + size + 1))
        return error_memory(error);
    if (size > 0)
        memcpy(tight->keys + tight->keys_size, edge->key.bytes, size);
    tight->items[tight->count++] = (struct item){
        *from,          *to,        edge->latency_ticks, edge->place, (uint32_t)tight->keys_size,
        (uint32_t)size, edge->kind, edge->limit};
    tight->keys_size += size;
    return CSY_OK;
}

struct wanted {
    const struct loose_end *end;
    uint32_t *out;
};

static int compare_wanted(const void *a, const void *b)
{
    const struct loose_end *x = ((const struct wanted *)a)->end,
                           *y = ((const struct wanted *)b)->end;
    if (x->position != y->position)
        return COMPARE(x->position, y->position);
    if (x->kind != y->kind) /* events of one record: begin, end, reading of a clock */
        return x->kind == INSTANT_BEGIN || (x->kind == INSTANT_END && y->kind == INSTANT_READING)
                   ? -1
                   : 1;
    return COMPARE(x->clock, y->clock);
}

/* Add each event where a constraint begins or ends, only once. ends[i] becomes the indexes of the
 * two events of constraint i. */
static csy_status add_points(const struct tight *tight, struct points *points, uint32_t (*ends)[2],
                             csy_error *error)
{
    size_t n = 2 * tight->count;
    struct wanted *wanted = malloc((n + 1) * sizeof *wanted);
    csy_status status = wanted ? CSY_OK : error_memory(error);
    for (size_t i = 0; i < tight->count && !status; i++) {
        wanted[2 * i] = (struct wanted){&tight->items[i].from, &ends[i][0]};
        wanted[2 * i + 1] = (struct wanted){&tight->items[i].to, &ends[i][1]};
    }
    if (!status)
        SORT(wanted, n, compare_wanted);
    for (size_t i = 0; i < n && !status; i++) {
        const struct loose_end *end = wanted[i].end;
        if (i > 0 && compare_wanted(&wanted[i - 1], &wanted[i]) == 0) {
            *wanted[i].out = *wanted[i - 1].out;
            continue;
        }
        const struct instant instant = {.lo = end->x,
                                        .hi = end->x,
                                        .position = end->position,
                                        .place = end->place,
                                        .clock = end->clock,
                                        .location = end->location};
        status = points_apart(points, &instant, end->kind, wanted[i].out, error);
    }
    free(wanted);
    return status;
}

void loose_order_stop(struct loose_order *order)
{
    loose_free(order->loose);
    if (order->tight)
        FREE_ALL(order->tight->items, order->tight->keys, order->tight);
    *order = (struct loose_order){NULL, NULL};
}

csy_status loose_order_start(struct loose_order *order, struct csy_sync *sync,
                             const csy_options *options, csy_error *error)
{
    struct points *points = &sync->partial->points;
    int64_t rate_ppb = sync->drift ? options->drift_ppb : 0;
    points->told = true;
    points->least_told = 2 * points->close_ticks;
    loose_order_stop(order);
    struct tight *tight = order->tight = calloc(1, sizeof *tight);
    if (!tight)
        return error_memory(error);
    tight->rate_ppb = rate_ppb;
    tight->window_ticks = points->least_told + (rate_ppb > 0);
    tight->reference = NO_CLOCK;
    tight->all = tight->limit = sync->trace->loose_kept;
    const struct loose_rules rules = {.trace = sync->trace,
                                      .rough = &sync->survey.rough,
                                      .match = sync->partial->match,
                                      .latency_ticks = options->latency_ticks,
                                      .latency_max_ticks = options->latency_max_ticks,
                                      .directions = &sync->partial->directions,
                                      .take = tight_take,
                                      .user = order->tight};
    return loose_new(&rules, &order->loose, error);
}

csy_status loose_order_finish(struct loose_order *order, struct csy_sync *sync, csy_error *error)
{
    struct partial *partial = sync->partial;
    uint64_t place = 0;
    csy_status status = loose_finish(order->loose, &place, error);
    if (status)
        return status == CSY_INPUT ? trace_at_place(sync->trace, place, status, error) : status;
    /* The reference clock has no drift. Only now it is known which clock this is, so more
     * constraints can be dropped. */
    struct tight *tight = order->tight;
    tight->reference = (uint32_t)sync->reference;
    if (tight->dropped || tight->count > tight->all)
        status = sort_out(tight, error);
    uint32_t(*ends)[2] = malloc((tight->count + 1) * sizeof *ends);
    partial->streamed = tight->dropped;
    if (!status)
        status = ends ? add_points(tight, &partial->points, ends, error) : error_memory(error);
    for (size_t i = 0; i < tight->count && !status; i++) {
        const struct item *item = &tight->items[i];
        uint32_t key = NO_KEY;
        if (item->key_size > 0)
            status = points_key(&partial->points, tight->keys + item->key_at, item->key_size, &key,
                                error);
        if (!status && item->limit)
            status =
                points_limit(&partial->points,
                             &(struct order_limit){ends[i][0], ends[i][1], -item->latency_ticks,
                                                   key, item->kind, item->place},
                             error);
        else if (!status)
            status = points_edge(
                &partial->points,
                &(struct order_edge){ends[i][0], ends[i][1], item->latency_ticks, key, item->kind},
                error);
    }
    free(ends);
    if (!status)
        status = loose_report(order->loose, error);
    partial->loose = true;
    partial->points.told &= partial->streamed;
    return status;
}
