/* Reads a trace again each time its events are needed, instead of storing them. */
#include "sync/partial/walked.h"

#include "base/error.h"
#include "graph/age_matrix.h"
#include "graph/reduce.h"
#include "order/match.h"
#include "order/walk.h"
#include "sync/outcome.h"
#include "sync/placement.h"
#include "trace/tracer.h"

#include <stdlib.h>

csy_status walked_pass(const struct csy_sync *sync, struct order_walk_visitor visitor,
                       csy_error *error)
{
    struct walked *again = sync->partial->walked;
    bool good;
    visitor.members = again->found.members;
    visitor.nmembers = again->found.nmembers;
    visitor.keys = &again->found.keys;
    visitor.channels = again->found.channels;
    visitor.exact = again->exact;
    csy_status status = order_walk_run(sync->trace, &visitor, &good, error);
    if (status || good)
        return status;
    again->failed = true;
    return trace_refuse_changed(sync->trace, error);
}

struct reducing_pass {
    const struct csy_sync *sync;
    struct reduce_stream *stream;
    uint32_t *marks;
    struct order_edge edges[WALK_LOCATIONS_MOST + 1]; /* edges to the event that is being added */
    struct match_thinned *counts;                     /* receives counts of messages, or NULL */
    struct tracer_thread *tracers; /* for each location: offsets from the tracer; or NULL */
    /* finds the least possible rates of clocks (graph/age_matrix.h); or NULL */
    struct age_matrix *rates;
    /* true if `rates` takes too much memory, or if an event is not in the order of its location */
    bool given_up;
};

static void mark_source(void *user, struct order_walk_source *source)
{
    if (source->point != NO_POINT)
        ((struct reducing_pass *)user)->marks[source->point] = 1;
}

static void renumber_source(void *user, struct order_walk_source *source)
{
    if (source->point != NO_POINT)
        source->point = ((struct reducing_pass *)user)->marks[source->point];
}

static void keep_location(void *user, uint32_t location, int64_t least_ticks)
{
    struct reducing_pass *r = user;
    uint32_t clock = r->sync->partial->walked->found.starts[location].thread;
    int64_t least = least_ticks;
    if (least_ticks != INT64_MIN)
        least = rebase_x(&r->sync->survey.rough, clock, least_ticks);
    age_matrix_keep_from(r->rates, clock, least);
}

struct instant walked_instant(const struct csy_sync *sync, const struct order_walk_event *event)
{
    const struct stream_start *start = &sync->partial->walked->found.starts[event->location];
    int64_t x = rebase_x(&sync->survey.rough, start->thread, event->ticks);
    if (event->kind == WALK_HUB)
        return (struct instant){.position = event->position,
                                .place = event->place,
                                .location = NO_LOCATION,
                                .buffer = NO_BUFFER,
                                .kind = INSTANT_HUB};
    return (struct instant){.lo = x,
                            .hi = x,
                            .position = start->position + event->position,
                            .place = event->place,
                            .clock = start->thread,
                            .location = event->location,
                            .buffer = NO_BUFFER,
                            .kind = event->loose                 ? INSTANT_LOOSE
                                    : order_walk_is_begin(event) ? INSTANT_BEGIN
                                                                 : INSTANT_END,
                            .chained = event->chained};
}

int64_t walked_latency(const struct csy_sync *sync, const struct order_walk_before *before)
{
    return before->kind == EDGE_MESSAGE ? sync->latency_ticks : 0;
}

/* Count a message that was received before it was sent: by timestamps, and by the times that the
 * tracer corrected. Returns false if the time that it took is out of range. */
static bool note_message(struct reducing_pass *r, const struct order_walk_event *event)
{
    const struct order_walk_source *send = event->before[event->nbefore - 1].source;
    int128 left, received;
    int64_t ticks = event->ticks - send->ticks;
    match_note_passage(&r->counts->raw, ticks);
    if (r->tracers && tracer_correct(&r->tracers[send->location], send->ticks, &left) &&
        tracer_correct(&r->tracers[event->location], event->ticks, &received))
        match_note_passage(&r->counts->tracer, received - left);
    return !__builtin_sub_overflow(ticks, r->sync->latency_ticks, &ticks);
}

static csy_status reduce_event(void *user, const struct order_walk_event *event, csy_error *error)
{
    struct reducing_pass *r = user;
    const struct instant instant = walked_instant(r->sync, event);
    struct reduce_stream_point point = {&instant, 0, r->edges, event->nbefore};
    uint32_t number;
    /* fail here; the trace is then read in the ordinary way, which reports the error */
    if (instant.lo <= -X_MAX ||
        (r->counts && event->kind == WALK_RECV && !note_message(r, event))) {
        r->sync->partial->walked->failed = true;
        return trace_refuse_changed(r->sync->trace, error);
    }
    r->given_up = r->rates && (event->early || age_matrix_is_great(r->rates));
    if (r->given_up) {
        order_walk_stop(event->walk);
        return CSY_OK;
    }
    if (event->own)
        point.leaves = event->leaves > 0 ? event->leaves : REDUCE_STREAM_SOME;
    for (size_t i = 0; i < event->nbefore; i++)
        r->edges[i] = (struct order_edge){event->before[i].source->point, 0,
                                          walked_latency(r->sync, &event->before[i]), NO_KEY,
                                          (uint16_t)event->before[i].kind};
    csy_status status = reduce_stream_add(r->stream, &point, &number, error);
    if (status)
        return status;
    if (event->own)
        event->own->point = number;
    if (!reduce_stream_is_full(r->stream))
        return CSY_OK;
    bool sends = event->kind == WALK_SEND && event->own;
    r->marks = reduce_stream_marks(r->stream);
    if (!r->marks)
        return error_memory(error);
    order_walk_each_source(event->walk, mark_source, r);
    if (sends)
        mark_source(r, event->own);
    if (r->rates)
        order_walk_each_location(event->walk, keep_location, r);
    reduce_stream_remove(r->stream, r->marks);
    order_walk_each_source(event->walk, renumber_source, r);
    if (sends)
        renumber_source(r, event->own);
    free(r->marks);
    return CSY_OK;
}

static void forget_source(void *user, struct order_walk_source *source)
{
    reduce_stream_release(((struct reducing_pass *)user)->stream, source->point);
}

/* Get the clock offsets that the tracer measured. *out is NULL if it measured none. */
static csy_status read_tracers(const struct csy_sync *sync, struct tracer_thread **out,
                               csy_error *error)
{
    const struct source *source = sync->trace->source;
    size_t n = sync->partial->walked->found.nlocations;
    bool any = false;
    *out = NULL;
    if (!source->tracer)
        return CSY_OK;
    struct tracer_thread *tracers = calloc(n + 1, sizeof *tracers);
    if (!tracers)
        return error_memory(error);
    for (size_t l = 0; l < n; l++) {
        source->tracer(sync->trace, l, &tracers[l]);
        any |= tracers[l].count > 0;
    }
    if (any)
        *out = tracers;
    else
        free(tracers);
    return CSY_OK;
}

static csy_status finish_match(const struct csy_sync *sync, struct match_thinned *thinned,
                               const struct order_walk_counts *counts, csy_error *error)
{
    struct partial *partial = sync->partial;
    size_t n =
        counts->nunmatched < CSY_UNUSED_LISTED ? (size_t)counts->nunmatched : CSY_UNUSED_LISTED;
    csy_status status = CSY_OK;
    for (size_t i = 0; i < n && !status; i++) {
        const struct order_walk_unmatched *send = &counts->unmatched[i];
        const struct stream_start *start = &partial->walked->found.starts[send->location];
        struct event event = {.thread = start->thread,
                              .position = start->position + send->item.position,
                              .local_ticks = send->item.time_ticks};
        sync->trace->source->streams->event(sync->trace, send->location, &send->item, &event);
        struct event_roles roles = *event.roles;
        roles.shared |= send->shared;
        event.roles = &roles;
        event.stamp.time_ticks = event.local_ticks;
        event.stamp.same = false;
        status = match_event(partial->match, &event,
                             rebase_x(&sync->survey.rough, event.thread, event.local_ticks), error);
    }
    if (status == CSY_INPUT) {
        partial->walked->failed = true;
        status = trace_refuse_changed(sync->trace, error);
    }
    thinned->groups = counts->groups;
    thinned->enters = counts->enters;
    thinned->leaves = counts->leaves;
    thinned->unmatched[0] = counts->nunmatched - n;
    *match_thinned(partial->match) = *thinned;
    uint64_t place;
    return status ? status : match_finish(partial->match, &place, error);
}

csy_status walked_pairs(const struct csy_sync *sync, const struct reduce_window *window,
                        struct points *points, struct pairs *pairs, csy_error *error)
{
    struct reducing_pass r = {.sync = sync};
    struct walked *walked = sync->partial->walked;
    struct match_thinned thinned = *match_thinned(sync->partial->match);
    struct order_walk_counts counts = {0};
    size_t nclocks = sync->survey.threads.count;
    csy_status status = reduce_stream_new(points, walked->found.nlocations, nclocks, window, NULL,
                                          &r.stream, error);
    struct order_walk_visitor visitor = {
        .visit = reduce_event, .forget = forget_source, .user = &r};
    *pairs = (struct pairs){0};
    if (!status && !walked->counted) {
        visitor.counts = &counts;
        r.counts = &thinned;
        status = read_tracers(sync, &r.tracers, error);
        thinned.raw.known = true;
        thinned.tracer.known = r.tracers != NULL;
    }
    if (!status && walked->found.has_roles)
        status = walked_pass(sync, visitor, error);
    if (!status && !walked->counted)
        status = finish_match(sync, &thinned, &counts, error);
    walked->counted |= !status;
    if (!status)
        status = reduce_stream_collect(r.stream, pairs, error);
    reduce_stream_free(r.stream);
    free(r.tracers);
    return status;
}

csy_status walked_rates(const struct csy_sync *sync, const struct reduce_window *window,
                        struct age_matrix *ages, bool *good, csy_error *error)
{
    struct reducing_pass r = {.sync = sync, .rates = ages};
    struct points points = {0};
    csy_status status =
        reduce_stream_new(&points, sync->partial->walked->found.nlocations,
                          sync->survey.threads.count, window, ages, &r.stream, error);
    const struct order_walk_visitor visitor = {
        .visit = reduce_event, .forget = forget_source, .user = &r};
    if (!status)
        status = walked_pass(sync, visitor, error);
    *good = !status && !r.given_up;
    reduce_stream_free(r.stream);
    points_fini(&points);
    return status;
}

struct measuring_pass {
    struct csy_sync *sync;
    /* for each location: least possible global time of its last record, or INT64_MIN if unknown */
    int64_t *reached;
};

static csy_status measure_event(void *user, const struct order_walk_event *event, csy_error *error)
{
    struct measuring_pass *m = user;
    const struct stream_start *start = &m->sync->partial->walked->found.starts[event->location];
    bool hub = event->kind == WALK_HUB;
    int128 global = hub ? 0 : placement_of(m->sync, start->thread, event->ticks);
    int64_t reached = event->chained ? m->reached[event->location] : INT64_MIN;
    const struct csy_sync *sync = m->sync;
    struct walked *walked = sync->partial->walked;
    for (size_t i = 0; i < event->nbefore; i++) {
        const struct order_walk_source *source = event->before[i].source;
        int64_t least = source->value;
        if (event->before[i].kind == EDGE_MESSAGE)
            match_note_passage(&sync->partial->ours,
                               global - placement_of(sync,
                                                     walked->found.starts[source->location].thread,
                                                     source->ticks));
        if (__builtin_add_overflow(least, walked_latency(sync, &event->before[i]), &least))
            return error_set(error, CSY_INPUT, "%s: global times do not fit 64 bits",
                             sync->trace->name);
        raise_ticks(&reached, least);
    }
    if (!hub && !event->loose && !order_walk_is_begin(event) && reached != INT64_MIN)
        outcome_note_inversion(&m->sync->imprecision, reached - global);
    if (event->kind == WALK_PLAIN)
        return CSY_OK;
    if (!hub)
        raise_ticks(&reached, (int64_t)global);
    if (event->chained)
        m->reached[event->location] = reached;
    if (event->own)
        event->own->value = reached;
    return CSY_OK;
}

csy_status walked_measure(struct csy_sync *sync, csy_error *error)
{
    struct walked *walked = sync->partial->walked;
    struct measuring_pass m = {sync, malloc((walked->found.nlocations + 1) * sizeof *m.reached)};
    const struct order_walk_visitor visitor = {.visit = measure_event, .user = &m, .all = true};
    if (!m.reached)
        return error_memory(error);
    for (size_t l = 0; l < walked->found.nlocations; l++)
        m.reached[l] = INT64_MIN;
    sync->partial->ours = (csy_backward){.known = true};
    csy_status status = walked_pass(sync, visitor, error);
    free(m.reached);
    return status;
}
