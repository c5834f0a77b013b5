/* A pass over the events of a synchronized trace, by one thread or two. */
#include "output/trace/writer.h"

#include "order/flows.h"
#include "output/trace/batches.h"
#include "sync/partial/arrows.h"
#include "sync/partial_order.h"

/* Traces with fewer records get no worker, because they are written before a thread could start. */
enum { WORKER_RECORDS = 4096 };

/* Process an event, in this thread or in the worker. `user` is a struct writer. */
static csy_status take_event(void *user, const struct event *source, const csy_event *event,
                             bool selected, csy_error *error)
{
    const struct writer *w = user;
    if (selected)
        return w->format->event(w->user, source, event, error);
    return w->format->pass ? w->format->pass(w->user, event, error) : CSY_OK;
}

static bool is_selected(const struct writer *w, const csy_event *event)
{
    bool selected = !w->selection || selection_has(w->selection, event);
    w->trace->written += w->selection && selected;
    return selected;
}

/* Returns the only file of a format, or NULL. */
static struct outfile *file_of(const struct writer *w)
{
    return w->format->has_file ? *(struct outfile *const *)w->user : NULL;
}

static bool has_failed(const struct writer *w)
{
    const struct outfile *file = file_of(w);
    return file ? outfile_failed(file) : w->format->failed && w->format->failed(w->user);
}

/* Make a pass over all events. `batches` is NULL without a worker. */
static csy_status walk_events(struct writer *w, struct csy_events *events, struct flows *flows,
                              struct batches *batches, csy_error *error)
{
    const struct writer_format *format = w->format;
    struct events_source source;
    csy_event event;
    uint64_t place;
    bool more = true, stopped = false; /* `stopped` becomes true if the worker fails */
    csy_status status = CSY_OK;
    events_source_init(&source);
    while (!status && !stopped && !has_failed(w)) {
        uint64_t nplain = 0;
        status = format->take_plain ? format->take_plain(w->user, events, error)
                                    : events_fill(events, error);
        for (; !format->take_plain && !status && !stopped && events_plain(events, &event, &place);
             nplain++) {
            bool selected = is_selected(w, &event);
            status = batches ? batches_add_plain(batches, &event, place, selected, &stopped, error)
                             : take_event(w, events_source_of(&source, &event, place), &event,
                                          selected, error);
        }
        if (!status && nplain > 0)
            continue;
        if (!status)
            status = events_next(events, &event, &more, error);
        if (status || !more)
            break;
        bool selected = is_selected(w, &event);
        events->event.flows = flows ? flows_take(flows, &events->event) : NULL;
        status = batches ? batches_add(batches, &events->event, &event, selected, &stopped, error)
                         : take_event(w, &events->event, &event, selected, error);
    }
    return status;
}

static void set_relay(const struct writer *w, const struct relay *relay)
{
    struct outfile *file = file_of(w);
    if (file)
        outfile_relay(file, relay);
    else if (w->format->relay)
        w->format->relay(w->user, relay);
}

/* Read in this thread, write in the worker. A failed write precedes later failures to read. */
static csy_status walk_together(struct writer *w, struct csy_events *events, struct flows *flows,
                                csy_error *error)
{
    struct batches *batches = NULL;
    csy_error late;
    if (w->trace->workers > 1 && !(w->trace->partial && w->format->takes_roles) && w->selection &&
        !w->format->take_plain && w->sync->survey.records >= WORKER_RECORDS)
        batches_open(take_event, w, &batches);
    if (!batches)
        return walk_events(w, events, flows, NULL, error);
    set_relay(w, batches_relay(batches));
    csy_status status = walk_events(w, events, flows, batches, &late);
    csy_status written = batches_close(batches, error);
    set_relay(w, NULL);
    if (!written && status && error)
        *error = late;
    return written ? written : status;
}

csy_status writer_walk(const struct writer *writer, csy_error *error)
{
    struct writer copy = *writer, *w = &copy;
    const struct partial *partial = w->sync->partial;
    csy_events *events = NULL;
    struct flows *flows = NULL; /* the messages of a partial order */
    struct match *match = NULL; /* new pairs of sends and receives, if the solution does not know
                                 * all channels */
    struct points points = {0};
    csy_status status = CSY_OK;
    if (w->selection)
        w->trace->written = 0;
    if (w->format->messages && partial) {
        /* Matching precedes the opening of the events, because matching may read the trace. */
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
