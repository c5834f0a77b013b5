/* By what one record comes before another, of a trace whose points are not held. */
#include "sync/partial/replayed.h"

#include "base/array.h"
#include "base/error.h"
#include "order/replay.h"
#include "sync/partial/partial_steps.h"
#include "sync/partial_order.h"

#include <stdlib.h>
#include <string.h>

/* By their numbers, in points, or NO_KEY. */
struct keys {
    uint32_t *items;
    size_t count, capacity;
};

/* A constraint, and the points that are visited from its first one to its last one. */
struct span {
    uint64_t from, to; /* positions of their records, */
    bool from_begin, to_begin;
    uint64_t first; /* number of the first among the points that are visited */
    bool began, ended;
    struct points points;
    struct keys keys[2]; /* of channels and of groups */
};

struct naming {
    const struct csy_sync *sync;
    struct span *spans;
    size_t n, left;
    uint64_t visited;
};

/* That of an event that has one, which is its channel's or its group's. */
static csy_status find_key(const struct naming *m, struct span *span,
                           const struct replay_event *event, uint32_t *out, csy_error *error)
{
    struct csy_trace *trace = m->sync->trace;
    struct event made = {0};
    bool receive = event->kind == REPLAY_RECV;
    struct keys *keys = &span->keys[receive];
    csy_status status = CSY_OK;
    if (!ARRAY_RESERVE(keys->items, keys->capacity, (size_t)event->key + 1))
        return error_memory(error);
    while (keys->count <= event->key)
        keys->items[keys->count++] = NO_KEY;
    if (keys->items[event->key] == NO_KEY) {
        const struct stream_item item = replay_item(event);
        trace->source->streams->event(trace, event->location, &item, &made);
        csy_text text = receive ? made.roles->recv : made.roles->members;
        status = points_key(&span->points, text.bytes, text.size, &keys->items[event->key], error);
    }
    *out = keys->items[event->key];
    return status;
}

/* The next point of a span, and the edges into it. */
static csy_status add_point(const struct naming *m, struct span *span,
                            const struct replay_event *event, csy_error *error)
{
    struct points *points = &span->points;
    uint32_t number = (uint32_t)points->count, key = NO_KEY;
    csy_status status = CSY_OK;
    if (points->count == NO_POINT)
        return error_set(error, CSY_MEMORY, "more than 2^32 - 2 points of order");
    if (!ARRAY_RESERVE(points->items, points->capacity, points->count + 1))
        return error_memory(error);
    points->items[points->count++] = replayed_instant(m->sync, event);
    for (size_t i = 0; i < event->nbefore && !status; i++) {
        const struct replay_before *before = &event->before[i];
        uint64_t from = (uint64_t)before->source->value;
        if (from < span->first)
            continue;
        if (before->kind != EDGE_INTERVAL)
            status = find_key(m, span, event, &key, error);
        const struct order_edge edge = {
            (uint32_t)(from - span->first), number, replayed_latency(m->sync, before),
            before->kind == EDGE_INTERVAL ? NO_KEY : key, (uint16_t)before->kind};
        if (!status)
            status = points_edge(points, &edge, error);
    }
    return status;
}

/* Whether an event is at an end of a constraint. */
static bool is_at(const struct replay_event *event, uint64_t position, uint64_t at, bool begin)
{
    return event->kind != REPLAY_HUB && position == at && replay_is_begin(event) == begin;
}

static csy_status name_event(void *user, const struct replay_event *event, csy_error *error)
{
    struct naming *m = user;
    uint64_t position =
        m->sync->partial->replayed->starts[event->location].position + event->position;
    csy_status status = CSY_OK;
    for (size_t i = 0; i < m->n && !status; i++) {
        struct span *span = &m->spans[i];
        if (!span->began && is_at(event, position, span->from, span->from_begin)) {
            span->began = true;
            span->first = m->visited;
        }
        if (!span->began || span->ended)
            continue;
        status = add_point(m, span, event, error);
        span->ended = is_at(event, position, span->to, span->to_begin);
        m->left -= span->ended;
    }
    if (event->own)
        event->own->value = (int64_t)m->visited;
    m->visited++;
    if (m->left == 0)
        replay_stop(event->replay);
    return status;
}

/* Keys stay as long as the solution does. */
static csy_status keep_keys(struct replayed *replayed, csy_witness_edge *named, csy_error *error)
{
    csy_order_step *steps = unconst(named->steps);
    for (size_t i = 0; i < named->nsteps; i++) {
        struct replayed_name *name =
            steps[i].key.bytes ? malloc(sizeof *name + steps[i].key.size + 1) : NULL;
        if (!name && steps[i].key.bytes) {
            steps[i].key = (csy_text){NULL, 0};
            return error_memory(error);
        }
        if (!name)
            continue;
        memcpy(name->text, steps[i].key.bytes, steps[i].key.size + 1);
        steps[i].key.bytes = name->text;
        name->next = replayed->names;
        replayed->names = name;
    }
    return CSY_OK;
}

static csy_status name_span(const struct naming *m, struct span *span, csy_witness_edge *named,
                            csy_error *error)
{
    size_t n = span->points.count;
    uint32_t *order = malloc((n + 1) * sizeof *order);
    if (!order)
        return error_memory(error);
    for (size_t p = 0; p < n; p++)
        order[p] = (uint32_t)p;
    span->points.nlocations = m->sync->partial->replayed->nlocations;
    const struct edge edge = {.from_point = 0, .to_point = (uint32_t)n - 1};
    csy_status status = points_finish(&span->points, error);
    if (!status)
        status = partial_find_steps(m->sync, &span->points, order, &edge, named, error);
    if (!status)
        status = keep_keys(m->sync->partial->replayed, named, error);
    free(order);
    return status;
}

csy_status replayed_name_edges(const struct csy_sync *sync, const struct edge *edges,
                               csy_witness_edge *const *named, size_t n, csy_error *error)
{
    struct naming m = {sync, calloc(n + 1, sizeof *m.spans), n, n, 0};
    bool good = true;
    if (!m.spans)
        return error_memory(error);
    for (size_t i = 0; i < n; i++) {
        m.spans[i].from = edges[i].from.position;
        m.spans[i].to = edges[i].to.position;
        m.spans[i].from_begin = edges[i].from_begin;
        m.spans[i].to_begin = edges[i].to_begin;
    }
    const struct replay_visitor visitor = {.visit = name_event, .user = &m};
    csy_status status = n > 0 ? replayed_pass(sync, visitor, &good, error) : CSY_OK;
    if (!status && (!good || m.left > 0))
        status = trace_refuse_changed(sync->trace, error);
    for (size_t i = 0; i < n; i++) {
        if (!status)
            status = name_span(&m, &m.spans[i], named[i], error);
        points_fini(&m.spans[i].points);
        free(m.spans[i].keys[0].items);
        free(m.spans[i].keys[1].items);
    }
    free(m.spans);
    return status;
}
