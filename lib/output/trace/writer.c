/* A pass over the events of a synchronized trace. */
#include "output/trace/writer.h"

#include "order/flows.h"
#include "output/trace/batches.h"
#include "sync/partial/arrows.h"
#include "sync/partial_order.h"

/* A trace with fewer records is written before a worker could start. */
enum { WORKER_RECORDS = 4096 };

static csy_status take_event(const struct writer *w, const struct event *source,
                             const csy_event *event, bool selected, csy_error *error)
{
    const struct writer_format *format = w->format;
    if (selected)
        return format->event(w->user, source, event, error);
    return format->pass ? format->pass(w->user, event, error) : CSY_OK;
}

/* The worker processes an event. A failed write only stops it; outfile_finish reports it. */
static csy_status take_copy(void *user, const struct event *source, const csy_event *event,
                            bool selected, csy_error *error)
{
    return take_event(user, source, event, selected, error);
}

static bool is_selected(const struct writer *w, const csy_event *event)
{
    bool selected = !w->selection || selection_has(w->selection, event);
    w->trace->written += w->selection && selected;
    return selected;
}

/* A pass over every event, with or without a worker. */
struct walk {
    const struct writer *writer;
    struct csy_events *events;
    struct batches *batches; /* NULL: no worker */
    bool stopped;            /* the worker has failed */
    struct events_source source;
};

/* Process the next n plain events. */
static csy_status walk_plain(struct walk *k, uint64_t *n, csy_error *error)
{
    const struct writer *w = k->writer;
    csy_event event;
    uint64_t place;
    csy_status status = events_fill(k->events, error);
    for (*n = 0; !status && !k->stopped && events_plain(k->events, &event, &place); ++*n) {
        bool selected = is_selected(w, &event);
        status = k->batches
                     ? batches_add_plain(k->batches, &event, place, selected, &k->stopped, error)
                     : take_event(w, events_source_of(&k->source, &event, place), &event, selected,
                                  error);
    }
    return status;
}

static csy_status walk_events(const struct writer *w, struct csy_events *events,
                              struct flows *flows, struct batches *batches, csy_error *error)
{
    const struct writer_format *format = w->format;
    struct walk k = {.writer = w, .events = events, .batches = batches};
    csy_event event;
    uint64_t nplain = 0;
    bool more = true;
    csy_status status = CSY_OK;
    events_source_init(&k.source);
    while (!status && !k.stopped && (!w->format->failed || !w->format->failed(w->user))) {
        status = format->take_plain ? format->take_plain(w->user, events, error)
                                    : walk_plain(&k, &nplain, error);
        if (!status && nplain > 0)
            continue;
        if (!status)
            status = events_next(events, &event, &more, error);
        if (status || !more)
            break;
        bool selected = is_selected(w, &event);
        events->event.flows = flows ? flows_take(flows, &events->event) : NULL;
        status = batches ? batches_add(batches, &events->event, &event, selected, &k.stopped, error)
                         : take_event(w, &events->event, &event, selected, error);
    }
    return status;
}

/* Read here and write in the worker. Failures to write come before later failures to read. */
static csy_status walk_together(const struct writer *w, struct csy_events *events,
                                struct flows *flows, csy_error *error)
{
    struct batches *batches = NULL;
    struct writer copy = *w;
    csy_error late;
    if (w->trace->workers > 1 && !(w->trace->partial && w->format->takes_roles) && w->selection &&
        !w->format->take_plain && w->sync->survey.records >= WORKER_RECORDS)
        batches_open(take_copy, &copy, &batches);
    if (!batches)
        return walk_events(w, events, flows, NULL, error);
    if (w->format->relay)
        w->format->relay(w->user, batches_relay(batches));
    csy_status status = walk_events(w, events, flows, batches, &late);
    csy_status written = batches_close(batches, error);
    if (w->format->relay)
        w->format->relay(w->user, NULL);
    if (!written && status && error)
        *error = late;
    return written ? written : status;
}

csy_status writer_walk(const struct writer *w, csy_error *error)
{
    const struct partial *partial = w->sync->partial;
    csy_events *events = NULL;
    struct flows *flows = NULL; /* messages of a partial order */
    struct match *match = NULL; /* a new match, if the solution does not know all channels */
    struct points points = {0};
    csy_status status = CSY_OK;
    if (w->selection)
        w->trace->written = 0;
    if (w->format->messages && partial) {
        /* Match before the events are opened, because this may read the trace. */
        if (partial->streamed || partial->loose)
            status = arrows_match(w->trace, w->sync, &points, &match, error);
        if (!status)
            status = flows_new(match ? match : partial->match, false, &flows, error);
    }
    if (!status)
        status = events_open(w->trace, w->sync, &events, error);
    if (!status && w->format->begin)
        status = w->format->begin(w->user, error);
    if (!status)
        status = walk_together(w, events, flows, error);
    csy_events_free(events);
    flows_free(flows);
    match_free(match);
    points_fini(&points);
    return status || !w->format->end ? status : w->format->end(w->user, error);
}
