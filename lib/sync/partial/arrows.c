/* Finds messages to draw as arrows. */
#include "sync/partial/arrows.h"

#include "base/error.h"
#include "base/heap.h"
#include "base/sort.h"
#include "order/walk.h"
#include "sync/drift_clocks.h"
#include "sync/partial/walked.h"
#include "sync/partial_order.h"
#include "sync/placement.h"

#include <stdlib.h>

void arrows_fini(struct arrows *arrows)
{
    free(arrows->items);
    *arrows = (struct arrows){0};
}

struct matcher {
    struct match *match;
    const struct rebase *rough;
};

static csy_status take_event(void *user, const struct event *event, csy_error *error)
{
    const struct matcher *m = user;
    return match_event(m->match, event, rebase_x(m->rough, event->thread, event->local_ticks),
                       error);
}

csy_status arrows_match(struct csy_trace *trace, const struct csy_sync *sync, struct points *points,
                        struct match **out, csy_error *error)
{
    struct match *match;
    uint64_t place;
    points->close_ticks =
        knots_window(sync->imprecision.added_ticks, sync->drift ? sync->drift->view.rate_ppb : 0);
    csy_status status = match_new(points, sync->latency_ticks, trace, &match, error);
    if (status)
        return status;
    struct matcher matcher = {match, &sync->survey.rough};
    struct taker taker = {.observe = take_event, .observer = &matcher};
    status = pass_again(trace, &sync->survey, NO_THREAD, &taker, &(struct progress){0}, error);
    if (!status)
        status = match_finish(match, &place, error);
    if (status)
        match_free(match);
    else
        *out = match;
    return status;
}

csy_status arrows_open(struct csy_trace *trace, const struct csy_sync *sync,
                       struct arrows_source *out, csy_error *error)
{
    const struct partial *partial = sync->partial;
    *out = (struct arrows_source){.sync = sync};
    if (!partial || partial->walked)
        return CSY_OK;
    bool again = partial->streamed && sync->survey.records <= ARROWS_RECORDS_MAX;
    out->one_each = partial->streamed && !again;
    out->points = again ? &out->own : &partial->points;
    return again ? arrows_match(trace, sync, &out->own, &out->match, error) : CSY_OK;
}

void arrows_close(struct arrows_source *source)
{
    match_free(source->match);
    points_fini(&source->own);
}

struct reading {
    const struct csy_sync *sync;
    void (*take)(void *user, const struct arrow *arrow);
    void *user;
};

/* Set the global times and the key (time beyond the latency) of an arrow. Pass it to r->take. */
static void give(const struct reading *r, struct arrow arrow, int64_t latency_ticks)
{
    arrow.begin_ticks = (int64_t)placement_of(r->sync, arrow.s, arrow.sent_ticks);
    arrow.end_ticks = (int64_t)placement_of(r->sync, arrow.t, arrow.received_ticks);
    int128 slack = (int128)arrow.end_ticks - arrow.begin_ticks - latency_ticks;
    arrow.key_ticks = nearest_int64(slack);
    r->take(r->user, &arrow);
}

/* Greatest number of messages of one record that get different values of arrow.number. */
enum { RECEIVED_MOST = 16 };

/* Leaves out the messages of channels with more sends than receives. */
static csy_status read_message(void *user, const struct order_walk_event *event, csy_error *error)
{
    const struct reading *r = user;
    const struct streams_found *found = &r->sync->partial->walked->found;
    const struct stream_start *to = &found->starts[event->location];
    (void)error;
    if (event->kind != WALK_RECV || found->channels[event->key].open)
        return CSY_OK;
    const struct order_walk_source *send = event->before[event->nbefore - 1].source;
    const struct arrow arrow = {.s = found->starts[send->location].thread,
                                .t = to->thread,
                                .sent_ticks = send->ticks,
                                .received_ticks = event->ticks,
                                .number = to->position + event->position};
    if (arrow.s != arrow.t)
        give(r, arrow, r->sync->latency_ticks);
    return CSY_OK;
}

csy_status arrows_each(const struct arrows_source *source,
                       void (*take)(void *user, const struct arrow *arrow), void *user,
                       csy_error *error)
{
    struct reading r = {source->sync, take, user};
    if (source->sync->partial && source->sync->partial->walked)
        return walked_pass(source->sync,
                           (struct order_walk_visitor){.visit = read_message, .user = &r}, error);
    const struct rebase *rough = &source->sync->survey.rough;
    if (source->points) {
        for (size_t e = 0, several = 0; e < source->points->nedges; e++) {
            const struct order_edge *edge = &source->points->edges[e];
            const struct instant *p = &source->points->items[edge->from],
                                 *q = &source->points->items[edge->to];
            if (edge->kind != EDGE_MESSAGE || p->clock == q->clock)
                continue;
            /* edges into one receive are next to each other */
            several = e > 0 && source->points->edges[e - 1].to == edge->to ? several + 1 : 0;
            struct arrow arrow = {.s = p->clock, .t = q->clock};
            arrow.number = RECEIVED_MOST * q->position + several % RECEIVED_MOST;
            arrow.sent_ticks = rebase_local(rough, p->clock, p->lo);
            arrow.received_ticks = rebase_local(rough, q->clock, q->hi);
            give(&r, arrow, edge->latency_ticks);
        }
    }
    return CSY_OK;
}

/* Returns true if the left arrow is dropped before the right one. */
static bool is_worse(const void *left, const void *right)
{
    const struct arrow *a = left, *b = right;
    return a->key_ticks != b->key_ticks ? a->key_ticks > b->key_ticks : a->number > b->number;
}

void arrows_keep(struct arrow *items, size_t *n, size_t most, const struct arrow *arrow)
{
    struct arrow worst;
    if (*n == most && (most == 0 || !is_worse(&items[0], arrow)))
        return;
    if (*n == most)
        heap_take(items, n, sizeof *items, &worst, is_worse);
    heap_put(items, n, sizeof *items, arrow, is_worse);
}

static int by_number(const void *a, const void *b)
{
    const struct arrow *x = a, *y = b;
    return COMPARE(x->number, y->number);
}

struct choosing {
    struct arrows *out;
    size_t most;
};

static void choose(void *user, const struct arrow *arrow)
{
    struct choosing *c = user;
    arrows_keep(c->out->items, &c->out->n, c->most, arrow);
}

csy_status arrows_find(const struct arrows_source *source, size_t most, struct arrows *out,
                       csy_error *error)
{
    *out = (struct arrows){0};
    if (!source->sync->partial)
        return CSY_OK;
    out->messages = source->sync->matched->messages;
    out->one_each = source->one_each;
    out->items = calloc(most + 1, sizeof *out->items);
    if (!out->items)
        return error_memory(error);
    csy_status status = arrows_each(source, choose, &(struct choosing){out, most}, error);
    if (!status && out->n > 1)
        SORT(out->items, out->n, by_number);
    return status;
}
