/* Least squares over the messages of a trace in partial order. See doc/algorithms.md, Least
 * squares.
 *
 *    minimize  sum (g[t] + receive time - g[s] - send time - latency)^2
 *
 * over all messages from a clock s to another clock t, where g are the offsets. With
 * CSY_METHOD_ENDS, the ends of two members of an operation take the place of send and receive,
 * without a latency. Some clocks may not be connected to the PPE (or, without a PPE, to the first
 * clock) by messages or operations. They are fitted separately, and begin together with the
 * connected clocks. */

#include "sync/methods/methods.h"

#include "base/array.h"
#include "base/error.h"
#include "sync/methods/leastsq.h"
#include "sync/partial_order.h"

#include <stdlib.h>
#include <string.h>

struct fit {
    struct csy_sync *sync;
    struct leastsq leastsq;
    uint32_t *parent; /* for each clock: another clock of its component, or itself */
    uint32_t anchor;
};

static uint32_t root_of(struct fit *f, uint32_t clock)
{
    while (f->parent[clock] != clock)
        clock = f->parent[clock] = f->parent[f->parent[clock]];
    return clock;
}

csy_status messages_refuse_latency(const struct csy_sync *sync, csy_error *error)
{
    return error_set(error, CSY_INPUT, "%s: a latency is 2^58 ticks or more", sync->trace->name);
}

/* Minimize the difference of two events of different clocks, assumed to be simultaneous. */
static csy_status take_pair(struct fit *f, struct point from, struct point to, csy_error *error)
{
    const struct sink sink = leastsq_sink(&f->leastsq);
    uint32_t s = root_of(f, from.thread), t = root_of(f, to.thread);
    f->parent[s > t ? s : t] = s > t ? t : s;
    return sink.pair(sink.engine, &from, &to, error);
}

/* Add collective operations. Assume that all members end at the same time as the first one. */
static csy_status take_ends(struct fit *f, csy_error *error)
{
    const struct points *points = &f->sync->partial->points;
    uint32_t *first = malloc((points->nhubs + 1) * sizeof *first);
    if (!first)
        return error_memory(error);
    memset(first, 0xff, points->nhubs * sizeof *first); /* this sets each item to NO_POINT */
    csy_status status = CSY_OK;
    for (size_t e = 0; e < points->nedges && !status; e++) {
        const struct order_edge *edge = &points->edges[e];
        if (edge->kind != EDGE_LEAVE || instant_is_hub(&points->items[edge->to]))
            continue;
        uint32_t hub = points->items[edge->from].clock;
        if (first[hub] == NO_POINT)
            first[hub] = edge->to;
        const struct instant *p = &points->items[first[hub]], *q = &points->items[edge->to];
        if (p->clock != q->clock)
            status = take_pair(f, (struct point){.thread = p->clock, .x = p->hi},
                               (struct point){.thread = q->clock, .x = q->hi}, error);
    }
    free(first);
    return status;
}

csy_status messages_align(struct csy_sync *sync, const uint32_t *root, uint32_t anchor, int64_t *g,
                          csy_error *error)
{
    const struct survey *survey = &sync->survey;
    uint32_t n = (uint32_t)survey->threads.count, home = root[anchor];
    int128 *begin = malloc((n + (size_t)1) * sizeof *begin);
    bool *begun = calloc(n + (size_t)1, sizeof *begun);
    csy_status status = begin && begun ? CSY_OK : error_memory(error);
    for (uint32_t t = 0; t < n && !status; t++) {
        int128 least = (int128)g[t] + survey->rough.offset[t] + survey->threads.items[t].min_ticks;
        if (!begun[root[t]] || least < begin[root[t]])
            begin[root[t]] = least;
        begun[root[t]] = true;
    }
    for (uint32_t t = 0; t < n && !status; t++) {
        int128 place = g[t] + begin[home] - begin[root[t]];
        if (!fits_int64(place))
            status = error_set(error, CSY_INPUT, "%s: global times do not fit 64 bits",
                               sync->trace->name);
        g[t] = (int64_t)place;
        sync->summary.unbounded_threads += root[t] != home;
    }
    FREE_ALL(begin, begun);
    return status;
}

csy_status messages_fit(struct csy_sync *sync, csy_error *error)
{
    const struct threads *threads = &sync->survey.threads;
    struct fit f = {.sync = sync, .anchor = threads->ppe == NO_THREAD ? 0 : threads->ppe};
    leastsq_init(&f.leastsq);
    f.parent = malloc(threads->count * sizeof *f.parent);
    const struct points *points = &sync->partial->points;
    const struct sink sink = leastsq_sink(&f.leastsq);
    uint32_t n = (uint32_t)threads->count;
    bool ends = sync->method == CSY_METHOD_ENDS;
    csy_status status = f.parent ? sink.birth(sink.engine, n - 1, error) : error_memory(error);
    for (uint32_t t = 0; t < n && f.parent; t++)
        f.parent[t] = t;
    if (!status && ends)
        status = take_ends(&f, error);
    for (size_t e = 0; e < points->nedges && !status && !ends; e++) {
        const struct order_edge *edge = &points->edges[e];
        const struct instant *p = &points->items[edge->from], *q = &points->items[edge->to];
        if (edge->kind != EDGE_MESSAGE)
            continue;
        status =
            edge->latency_ticks >= MESSAGE_LATENCY_MAX
                ? messages_refuse_latency(sync, error)
                : take_pair(&f, (struct point){.thread = p->clock, .x = p->lo},
                            (struct point){.thread = q->clock, .x = q->hi - edge->latency_ticks},
                            error);
    }
    if (!status) {
        /* Connect components to the anchor by one pair each, which changes nothing inside them. */
        uint32_t home = root_of(&f, f.anchor);
        const struct point to = {.thread = f.anchor};
        for (uint32_t t = 0; t < n && !status; t++) {
            const struct point from = {.thread = t};
            if (root_of(&f, t) == t && t != home)
                status = sink.pair(sink.engine, &from, &to, error);
        }
    }
    if (!status) {
        uint32_t *order = solution_last_order(sync, f.anchor);
        int64_t *g = malloc((n + (size_t)1) * sizeof *g);
        status = order && g ? CSY_OK : error_memory(error);
        for (uint32_t t = 0; t < n; t++)
            f.parent[t] = root_of(&f, t);
        if (!status)
            status = leastsq_solve(&f.leastsq, order, f.anchor, g, error);
        if (!status)
            status = messages_align(sync, f.parent, f.anchor, g, error);
        if (!status)
            status = solution_shift_offsets(sync, g, error);
        FREE_ALL(order, g);
    }
    leastsq_fini(&f.leastsq);
    free(f.parent);
    return status;
}
