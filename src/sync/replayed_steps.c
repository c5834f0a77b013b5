/* By what one record comes before another, of a trace of messages whose points are not held. */
#include "sync/replayed.h"

#include "base/array.h"
#include "base/error.h"
#include "order/replay.h"
#include "sync/partial_order.h"
#include "sync/partial_steps.h"

#include <stdlib.h>
#include <string.h>

/* A constraint, and the points that are visited from its first one to its last one. */
struct span {
    uint64_t from, to; /* positions of their records */
    uint64_t first;    /* number of the first among the points that are visited */
    bool began, ended;
    struct points points;
    uint32_t *keys; /* by channel, in points, or NO_KEY */
    size_t nkeys, keys_capacity;
};

struct naming {
    const struct csy_sync *sync;
    struct span *spans;
    size_t n, left;
    uint64_t visited;
};

/* The key of a receive's channel. */
static csy_status find_key(const struct naming *m, struct span *span,
                           const struct replay_event *event, uint32_t *out, csy_error *error)
{
    struct csy_trace *trace = m->sync->trace;
    struct event made = {0};
    csy_status status = CSY_OK;
    if (!ARRAY_RESERVE(span->keys, span->keys_capacity, (size_t)event->channel + 1))
        return error_memory(error);
    while (span->nkeys <= event->channel)
        span->keys[span->nkeys++] = NO_KEY;
    if (span->keys[event->channel] == NO_KEY) {
        const struct stream_item item = replay_item(event);
        trace->source->streams->event(trace, event->location, &item, &made);
        status = points_key(&span->points, made.roles->recv.bytes, made.roles->recv.size,
                            &span->keys[event->channel], error);
    }
    *out = span->keys[event->channel];
    return status;
}

/* The next point of a span, and the edge into it. */
static csy_status add_point(const struct naming *m, struct span *span,
                            const struct replay_event *event, csy_error *error)
{
    struct points *points = &span->points;
    uint32_t number = (uint32_t)points->count, key;
    const struct replay_send *send = event->send;
    if (points->count == NO_POINT)
        return error_set(error, CSY_MEMORY, "more than 2^32 - 2 points of order");
    if (!ARRAY_RESERVE(points->items, points->capacity, points->count + 1))
        return error_memory(error);
    points->items[points->count++] = replayed_instant(m->sync, event);
    if (event->role != STREAM_RECV || (uint64_t)send->value < span->first)
        return CSY_OK;
    csy_status status = find_key(m, span, event, &key, error);
    return status ? status
                  : points_edge(
                        points,
                        &(struct order_edge){(uint32_t)((uint64_t)send->value - span->first),
                                             number, m->sync->latency_ticks, key, EDGE_MESSAGE},
                        error);
}

static csy_status name_event(void *user, const struct replay_event *event, csy_error *error)
{
    struct naming *m = user;
    uint64_t position =
        m->sync->partial->replayed->starts[event->location].position + event->position;
    csy_status status = CSY_OK;
    for (size_t i = 0; i < m->n && !status; i++) {
        struct span *span = &m->spans[i];
        if (!span->began && position == span->from) {
            span->began = true;
            span->first = m->visited;
        }
        if (!span->began || span->ended)
            continue;
        status = add_point(m, span, event, error);
        span->ended = position == span->to;
        m->left -= span->ended;
    }
    if (event->role == STREAM_SEND)
        event->send->value = (int64_t)m->visited;
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
    }
    const struct replay_visitor visitor = {.visit = name_event, .user = &m};
    csy_status status = n > 0 ? replay_run(sync->trace, &visitor, &good, error) : CSY_OK;
    if (!status && (!good || m.left > 0))
        status = trace_refuse_changed(sync->trace, error);
    for (size_t i = 0; i < n; i++) {
        if (!status)
            status = name_span(&m, &m.spans[i], named[i], error);
        points_fini(&m.spans[i].points);
        free(m.spans[i].keys);
    }
    free(m.spans);
    return status;
}
