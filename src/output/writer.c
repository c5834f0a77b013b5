/* One walk over the events of a synchronized trace. */
#include "output/writer.h"

static csy_status take_event(const struct writer *w, const struct event *source,
                             const csy_event *event, csy_error *error)
{
    const struct writer_format *format = w->format;
    if (w->selection && !selection_has(w->selection, event))
        return format->pass ? format->pass(w->user, event, error) : CSY_OK;
    w->trace->written += w->selection != NULL;
    return format->event(w->user, source, event, error);
}

static csy_status walk(const struct writer *w, struct csy_events *events, csy_error *error)
{
    const struct writer_format *format = w->format;
    csy_event event;
    bool more = true;
    csy_status status = CSY_OK;
    while (!status && !(format->failed && format->failed(w->user))) {
        if (format->take_plain)
            status = format->take_plain(w->user, events, error);
        if (!status)
            status = events_next(events, &event, &more, error);
        if (status || !more)
            break;
        status = take_event(w, &events->event, &event, error);
    }
    return status;
}

csy_status writer_walk(const struct writer *w, csy_error *error)
{
    csy_events *events;
    if (w->selection)
        w->trace->written = 0;
    csy_status status = events_open(w->trace, w->sync, &events, error);
    if (status)
        return status;
    if (w->format->begin)
        status = w->format->begin(w->user, error);
    if (!status)
        status = walk(w, events, error);
    csy_events_free(events);
    return status || !w->format->end ? status : w->format->end(w->user, error);
}
