/* Messages to be drawn. */
#include "analysis/arrows.h"

#include "base/error.h"
#include "clock/global.h"
#include "sync/partial_order.h"
#include "sync/replayed.h"

#include <stdlib.h>

void arrows_fini(struct arrows *arrows)
{
    free(arrows->items);
    *arrows = (struct arrows){0};
}

/* --- The points of all records, once more --------------------------------------------------- */

static csy_status read_events(const struct csy_sync *sync, struct timeline *timeline,
                              struct match *match, csy_error *error)
{
    struct event event;
    bool more = true;
    csy_status status = CSY_OK;
    while (!status && more) {
        status = timeline_next(timeline, &event, &more, error);
        if (!status && more && event.thread >= sync->survey.threads.count)
            status = trace_refuse_changed(sync->trace, error);
        if (!status && more)
            status =
                match_event(match, &event,
                            rebase_x(&sync->survey.rough, event.thread, event.local_ticks), error);
    }
    return status;
}

csy_status arrows_match(struct csy_trace *trace, const struct csy_sync *sync, struct points *points,
                        struct match **out, csy_error *error)
{
    struct match *match;
    struct timeline timeline;
    uint64_t place;
    csy_status status = match_new(points, sync->latency_ticks, trace->block_after, &match, error);
    if (status)
        return status;
    status = timeline_init(&timeline, trace, &sync->survey.rules, &sync->survey.lore, error);
    if (!status)
        status = read_events(sync, &timeline, match, error);
    timeline_fini(&timeline);
    if (!status)
        status = match_finish(match, &place, error);
    if (status)
        match_free(match);
    else
        *out = match;
    return status;
}

/* --- Those that are drawn ------------------------------------------------------------------- */

/* Whether a is rather drawn than b. */
static bool is_less(const struct arrow *a, const struct arrow *b)
{
    return a->slack_ticks != b->slack_ticks ? a->slack_ticks < b->slack_ticks
                                            : a->number < b->number;
}

/* The last of a heap whose top is the one that would go first has a new value. */
static void sink_top(struct arrow *heap, size_t n, struct arrow value)
{
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < n; at = child) {
        if (child + 1 < n && is_less(&heap[child], &heap[child + 1]))
            child++;
        if (!is_less(&value, &heap[child]))
            break;
        heap[at] = heap[child];
    }
    heap[at] = value;
}

static void raise_last(struct arrow *heap, size_t n)
{
    struct arrow value = heap[n - 1];
    size_t at = n - 1;
    for (; at > 0 && is_less(&heap[(at - 1) / 2], &value); at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = value;
}

static int by_number(const void *a, const void *b)
{
    const struct arrow *x = a, *y = b;
    return (x->number > y->number) - (x->number < y->number);
}

static int64_t global_of(const struct csy_sync *sync, uint32_t clock, int64_t x)
{
    return x + placement_shift(sync->views[clock].offset_ticks, sync->survey.rough.offset[clock]);
}

/* Those that are drawn so far. */
struct choosing {
    const struct csy_sync *sync;
    size_t most;
    struct arrows *out;
};

static void consider(struct choosing *c, const struct arrow *arrow)
{
    struct arrows *out = c->out;
    if (out->n < c->most) {
        out->items[out->n++] = *arrow;
        raise_last(out->items, out->n);
    } else if (c->most > 0 && is_less(arrow, &out->items[0])) {
        sink_top(out->items, out->n, *arrow);
    }
}

static void choose(struct choosing *c, const struct points *points)
{
    uint64_t number = 0;
    for (size_t e = 0; e < points->nedges; e++) {
        const struct order_edge *edge = &points->edges[e];
        const struct instant *p = &points->items[edge->from], *q = &points->items[edge->to];
        if (edge->kind != EDGE_MESSAGE || p->clock == q->clock)
            continue;
        struct arrow arrow = {p->clock,
                              q->clock,
                              global_of(c->sync, p->clock, p->lo),
                              global_of(c->sync, q->clock, q->hi),
                              0,
                              number++};
        arrow.slack_ticks = arrow.end_ticks - arrow.begin_ticks - edge->latency_ticks;
        consider(c, &arrow);
    }
}

static void take_message(void *user, const struct replayed_message *message)
{
    struct choosing *c = user;
    const struct rebase *rough = &c->sync->survey.rough;
    if (message->s == message->t)
        return;
    struct arrow arrow = {
        message->s,
        message->t,
        global_of(c->sync, message->s, rebase_x(rough, message->s, message->s_ticks)),
        global_of(c->sync, message->t, rebase_x(rough, message->t, message->t_ticks)),
        0,
        message->number};
    arrow.slack_ticks = arrow.end_ticks - arrow.begin_ticks - c->sync->latency_ticks;
    consider(c, &arrow);
}

csy_status arrows_find(struct csy_trace *trace, const struct csy_sync *sync, size_t most,
                       struct arrows *out, csy_error *error)
{
    struct points points = {0};
    struct match *match = NULL;
    csy_status status = CSY_OK;
    *out = (struct arrows){0};
    if (!sync->partial)
        return CSY_OK;
    out->messages = sync->matched->messages;
    out->items = calloc(most + 1, sizeof *out->items);
    if (!out->items)
        return error_memory(error);
    struct choosing choosing = {sync, most, out};
    const struct partial *partial = sync->partial;
    bool again =
        partial->thinned && !partial->replayed && sync->survey.records <= ARROWS_RECORDS_MAX;
    out->one_each = partial->thinned && !partial->replayed && !again;
    if (partial->replayed)
        status = replayed_messages(sync, take_message, &choosing, error);
    else if (again)
        status = arrows_match(trace, sync, &points, &match, error);
    if (!status && !partial->replayed)
        choose(&choosing, again ? &points : &partial->points);
    if (!status && out->n > 1)
        qsort(out->items, out->n, sizeof *out->items, by_number);
    match_free(match);
    points_fini(&points);
    return status;
}
