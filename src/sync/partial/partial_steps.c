/* By what one point comes before another. */
#include "sync/partial/partial_steps.h"

#include "base/error.h"
#include "sync/partial/replayed.h"

#include <stdlib.h>
#include <string.h>

/* The last step to a point: an edge, or by way of a buffer. */
#define BY_NOTHING UINT32_MAX
#define BY_BUFFER (UINT32_MAX - 1)

/* The best way to a point so far.  All 0: there is none. */
struct way {
    bool reached;
    uint32_t steps;
    int64_t latency_ticks;
    uint32_t edge, source; /* of the last step; where it begins */
};

struct search {
    const struct points *points;
    struct way *ways;                /* by point */
    struct way *locations, *buffers; /* of the last points of chains */
    uint32_t *last_in;               /* by buffer: that point */
};

/* Whether an edge is no step of its own: within a location, or out of a hub. */
static bool is_silent(uint16_t kind)
{
    return kind == EDGE_INTERVAL || kind == EDGE_FLUSH || kind == EDGE_LEAVE;
}

static void take(struct way *best, const struct way *other)
{
    if (!best->reached || other->latency_ticks > best->latency_ticks ||
        (other->latency_ticks == best->latency_ticks && other->steps < best->steps))
        *best = *other;
}

/* The best of the ways to p: along its chains, the location's first, and along edges. */
static struct way find_way(const struct search *s, uint32_t p)
{
    const struct points *points = s->points;
    const struct instant *item = &points->items[p];
    struct way best = {0};
    if (!instant_is_hub(item) && item->chained)
        best = s->locations[item->location];
    if (item->buffer != NO_BUFFER && s->buffers[item->buffer].reached) {
        const struct way *last = &s->buffers[item->buffer];
        const struct way by = {true, last->steps + 1, last->latency_ticks, BY_BUFFER,
                               s->last_in[item->buffer]};
        take(&best, &by);
    }
    for (uint32_t e = points->first_edge[p]; e < points->first_edge[p + 1]; e++) {
        const struct order_edge *edge = &points->edges[e];
        const struct way *source = &s->ways[edge->from];
        const struct way by = {true, source->steps + !is_silent(edge->kind),
                               source->latency_ticks + edge->latency_ticks, e, edge->from};
        if (source->reached)
            take(&best, &by);
    }
    return best;
}

static void hand_on(struct search *s, uint32_t p)
{
    const struct instant *item = &s->points->items[p];
    if (!instant_is_hub(item) && item->chained)
        s->locations[item->location] = s->ways[p];
    if (item->buffer == NO_BUFFER)
        return;
    s->buffers[item->buffer] = s->ways[p];
    s->last_in[item->buffer] = p;
}

static csy_order_step step_of(const struct csy_sync *sync, const struct search *s,
                              const struct way *way)
{
    static const csy_order_kind kinds[EDGE_KINDS] = {
        [EDGE_AFTER] = CSY_ORDER_NAMED,  [EDGE_MESSAGE] = CSY_ORDER_MESSAGE,
        [EDGE_SYNC] = CSY_ORDER_SYNC,    [EDGE_ENTER] = CSY_ORDER_GROUP,
        [EDGE_ROOM] = CSY_ORDER_ROOM,    [EDGE_LOCK] = CSY_ORDER_LOCK,
        [EDGE_SPAWN] = CSY_ORDER_SPAWN,  [EDGE_JOIN] = CSY_ORDER_JOIN,
        [EDGE_APART] = CSY_ORDER_MESSAGE};
    const struct points *points = s->points;
    if (way->edge == BY_BUFFER)
        return (csy_order_step){
            CSY_ORDER_BUFFER, match_buffer(sync->partial->match, points->items[way->source].buffer),
            0};
    const struct order_edge *edge = &points->edges[way->edge];
    const char *key = edge->key == NO_KEY ? NULL : points->keys + edge->key;
    return (csy_order_step){kinds[edge->kind], {key, key ? strlen(key) : 0}, edge->latency_ticks};
}

/* The steps to `to`, from the last one on. */
static csy_status tell(const struct csy_sync *sync, const struct search *s, uint32_t to,
                       csy_order_step **steps, size_t *count, csy_error *error)
{
    const struct way *way = &s->ways[to];
    csy_order_step *out = calloc((size_t)way->steps + 1, sizeof *out);
    if (!out)
        return error_memory(error);
    *count = way->steps;
    for (size_t i = way->steps; way->edge != BY_NOTHING; way = &s->ways[way->source])
        if (way->edge == BY_BUFFER || !is_silent(s->points->edges[way->edge].kind))
            out[--i] = step_of(sync, s, way);
    *steps = out;
    return CSY_OK;
}

csy_status partial_find_steps(const struct csy_sync *sync, const struct points *points,
                              const uint32_t *order, const struct edge *edge,
                              csy_witness_edge *named, csy_error *error)
{
    const uint32_t from = edge->from_point, to = edge->to_point;
    csy_order_step *steps = NULL;
    /* Zeroed by the system where it is touched: few points are between the two. */
    struct search s = {points, calloc(points->count + 1, sizeof *s.ways),
                       calloc(points->nlocations + 1, sizeof *s.locations),
                       calloc(points->nbuffers + 1, sizeof *s.buffers),
                       calloc(points->nbuffers + 1, sizeof *s.last_in)};
    csy_status status =
        s.ways && s.locations && s.buffers && s.last_in ? CSY_OK : error_memory(error);
    named->nsteps = 0;
    if (!status) {
        size_t i = 0;
        while (order[i] != from)
            i++;
        s.ways[from] = (struct way){true, 0, 0, BY_NOTHING, from};
        for (hand_on(&s, from); order[i] != to && ++i < points->count;) {
            s.ways[order[i]] = find_way(&s, order[i]);
            hand_on(&s, order[i]);
        }
        if (s.ways[to].reached)
            status = tell(sync, &s, to, &steps, &named->nsteps, error);
    }
    named->steps = steps;
    free(s.ways);
    free(s.locations);
    free(s.buffers);
    free(s.last_in);
    return status;
}

/* Where there is nothing but buffers, that of two locations' flushes, and lives. */
static csy_status find_flat(const struct csy_sync *sync, const struct edge *edge,
                            csy_witness_edge *named, csy_error *error)
{
    const struct partial *partial = sync->partial;
    const struct instant *from = &partial->points.items[edge->from_point],
                         *to = &partial->points.items[edge->to_point];
    enum edge_kind kind = EDGE_CHAIN;
    if (partial->lives)
        kind = block_lives_kind(partial->lives, from, to);
    csy_order_step *step = calloc(1, sizeof *step);
    if (!step)
        return error_memory(error);
    named->steps = step;
    named->nsteps = 1;
    if (kind != EDGE_CHAIN) {
        step->kind = kind == EDGE_SPAWN ? CSY_ORDER_SPAWN : CSY_ORDER_JOIN;
        return CSY_OK;
    }
    const struct text_item *name = &partial->buffers.items[from->buffer];
    named->nsteps = from->location != to->location;
    *step = (csy_order_step){CSY_ORDER_BUFFER, {partial->buffers.bytes + name->at, name->size}, 0};
    return CSY_OK;
}

csy_status partial_name_edges(const struct csy_sync *sync, const struct edge *edges,
                              csy_witness_edge *const *named, size_t n, csy_error *error)
{
    const struct partial *partial = sync->partial;
    csy_status status = CSY_OK;
    if (partial->replayed)
        return replayed_name_edges(sync, edges, named, n, error);
    for (size_t i = 0; i < n && !status; i++)
        status = partial->match ? partial_find_steps(sync, &partial->points, partial->order,
                                                     &edges[i], named[i], error)
                                : find_flat(sync, &edges[i], named[i], error);
    return status;
}

csy_status partial_name_witness(struct csy_sync *sync, const struct edge *edges, size_t n,
                                csy_error *error)
{
    csy_witness_edge **named = calloc(n + 1, sizeof(csy_witness_edge *));
    csy_status status = named ? CSY_OK : error_memory(error);
    for (size_t i = 0; i < n && named; i++)
        named[i] = &sync->witness_edges[i];
    if (!status)
        status = partial_name_edges(sync, edges, named, n, error);
    free(named);
    return status;
}
