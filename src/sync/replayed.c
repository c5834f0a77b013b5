/* Passes over a trace of messages. */
#include "sync/replayed.h"

#include "base/error.h"
#include "graph/reduce_stream.h"
#include "order/match.h"
#include "order/replay.h"
#include "sync/outcome.h"
#include "sync/partial_order.h"
#include "sync/placement.h"

#include <stdlib.h>

/* One pass, which the first one of a solution has shown to be possible. */
static csy_status pass(const struct csy_sync *sync, const struct replay_visitor *visitor,
                       csy_error *error)
{
    bool good;
    csy_status status = replay_run(sync->trace, visitor, &good, error);
    if (status || good)
        return status;
    sync->partial->replayed->failed = true;
    return trace_refuse_changed(sync->trace, error);
}

/* --- Pairs ------------------------------------------------------------------------------------ */

struct reducing_pass {
    const struct csy_sync *sync;
    struct reduce_stream *stream;
    uint32_t *marks;
};

static void mark_send(void *user, struct replay_send *send)
{
    ((struct reducing_pass *)user)->marks[send->point] = 1;
}

static void renumber_send(void *user, struct replay_send *send)
{
    send->point = ((struct reducing_pass *)user)->marks[send->point];
}

/* Points that nothing is from any more. */
static csy_status remove_points(struct reducing_pass *r, const struct replay_event *event,
                                csy_error *error)
{
    bool sends = event->role == STREAM_SEND;
    r->marks = reduce_stream_marks(r->stream);
    if (!r->marks)
        return error_memory(error);
    replay_each_send(event->replay, mark_send, r);
    if (sends)
        mark_send(r, event->send);
    reduce_stream_remove(r->stream, r->marks);
    replay_each_send(event->replay, renumber_send, r);
    if (sends)
        renumber_send(r, event->send);
    free(r->marks);
    return CSY_OK;
}

struct instant replayed_instant(const struct csy_sync *sync, const struct replay_event *event)
{
    const struct stream_start *start = &sync->partial->replayed->starts[event->location];
    int64_t x = rebase_x(&sync->survey.rough, start->thread, event->ticks);
    return (struct instant){.lo = x,
                            .hi = x,
                            .position = start->position + event->position,
                            .place = event->place,
                            .clock = start->thread,
                            .location = event->location,
                            .buffer = NO_BUFFER,
                            .kind = INSTANT_END,
                            .chained = true};
}

static csy_status reduce_event(void *user, const struct replay_event *event, csy_error *error)
{
    struct reducing_pass *r = user;
    bool sends = event->role == STREAM_SEND;
    const struct instant instant = replayed_instant(r->sync, event);
    const struct order_edge edge = {event->send->point, 0, r->sync->latency_ticks, NO_KEY,
                                    EDGE_MESSAGE};
    uint32_t point;
    csy_status status =
        reduce_stream_add(r->stream, &instant, sends, sends ? NULL : &edge, &point, error);
    if (status)
        return status;
    if (sends)
        event->send->point = point;
    return reduce_stream_is_full(r->stream) ? remove_points(r, event, error) : CSY_OK;
}

csy_status replayed_pairs(const struct csy_sync *sync, const struct reduce_window *window,
                          struct points *points, struct pairs *pairs, csy_error *error)
{
    struct reducing_pass r = {.sync = sync};
    size_t nclocks = sync->survey.threads.count;
    csy_status status = reduce_stream_new(points, sync->partial->replayed->nlocations, nclocks,
                                          window, &r.stream, error);
    const struct replay_visitor visitor = {.visit = reduce_event, .user = &r};
    *pairs = (struct pairs){0};
    if (!status)
        status = pass(sync, &visitor, error);
    if (!status)
        status = reduce_stream_collect(r.stream, pairs, error);
    reduce_stream_free(r.stream);
    return status;
}

/* --- Inversions ------------------------------------------------------------------------------- */

struct measuring_pass {
    struct csy_sync *sync;
    int64_t *reached; /* by location: the greatest global time, latencies added, of what is before
                         its end; INT64_MIN: nothing is */
};

static void raise(int64_t *to, int64_t value)
{
    *to = value > *to ? value : *to;
}

/* What a message brings. */
static csy_status receive(struct measuring_pass *m, const struct replay_event *event, int128 global,
                          int64_t *reached, csy_error *error)
{
    const struct csy_sync *sync = m->sync;
    const struct replay_send *send = event->send;
    const struct replayed *replayed = sync->partial->replayed;
    int64_t least;
    match_note_passage(
        &sync->partial->replayed->ours,
        global - placement_of(sync, replayed->starts[send->location].thread, send->ticks));
    if (__builtin_add_overflow(send->value, sync->latency_ticks, &least))
        return error_set(error, CSY_INPUT, "%s: global times would leave 64 bits",
                         sync->trace->name);
    raise(reached, least);
    return CSY_OK;
}

static csy_status measure_event(void *user, const struct replay_event *event, csy_error *error)
{
    struct measuring_pass *m = user;
    const struct stream_start *start = &m->sync->partial->replayed->starts[event->location];
    int64_t *reached = &m->reached[event->location];
    int128 global = placement_of(m->sync, start->thread, event->ticks);
    csy_status status = CSY_OK;
    if (event->role == STREAM_RECV)
        status = receive(m, event, global, reached, error);
    if (*reached != INT64_MIN)
        outcome_note_inversion(&m->sync->imprecision, *reached - global);
    if (event->role == STREAM_PLAIN)
        return status;
    raise(reached, (int64_t)global);
    if (event->role == STREAM_SEND)
        event->send->value = *reached;
    return status;
}

csy_status replayed_measure(struct csy_sync *sync, csy_error *error)
{
    struct replayed *replayed = sync->partial->replayed;
    struct measuring_pass m = {sync, malloc((replayed->nlocations + 1) * sizeof *m.reached)};
    const struct replay_visitor visitor = {measure_event, &m, true};
    if (!m.reached)
        return error_memory(error);
    for (size_t l = 0; l < replayed->nlocations; l++)
        m.reached[l] = INT64_MIN;
    replayed->ours = (csy_backward){.known = true};
    csy_status status = pass(sync, &visitor, error);
    free(m.reached);
    return status;
}

/* --- Messages --------------------------------------------------------------------------------- */

struct messages_pass {
    const struct replayed *replayed;
    void (*take)(void *user, const struct replayed_message *message);
    void *user;
};

static csy_status take_message(void *user, const struct replay_event *event, csy_error *error)
{
    struct messages_pass *m = user;
    const struct stream_start *to = &m->replayed->starts[event->location];
    (void)error;
    if (event->role != STREAM_RECV)
        return CSY_OK;
    const struct replayed_message message = {m->replayed->starts[event->send->location].thread,
                                             to->thread, event->send->ticks, event->ticks,
                                             to->position + event->position};
    m->take(m->user, &message);
    return CSY_OK;
}

csy_status replayed_messages(const struct csy_sync *sync,
                             void (*take)(void *user, const struct replayed_message *message),
                             void *user, csy_error *error)
{
    struct messages_pass m = {sync->partial->replayed, take, user};
    return pass(sync, &(struct replay_visitor){.visit = take_message, .user = &m}, error);
}
