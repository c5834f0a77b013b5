/* A pass over the events of a synchronized trace, for every output format.
 *
 * A format is a struct of functions. The pass selects events, counts written ones, stops in time,
 * and reports progress. */
#ifndef OUTPUT_TRACE_WRITER_H
#define OUTPUT_TRACE_WRITER_H

#include "output/file/relay.h"
#include "output/trace/selection.h"
#include "sync/events.h"

/* The functions of an output format. Each receives the `user` of the struct writer. All except
 * `event` may be NULL. */
struct writer_format {
    csy_status (*begin)(void *user, csy_error *error);
    /* Take many of the next events at once; called before each single event. */
    csy_status (*take_plain)(void *user, struct csy_events *events, csy_error *error);
    /* Write a selected event; source has all its data. Pointers are valid until the next event. */
    csy_status (*event)(void *user, const struct event *source, const csy_event *event,
                        csy_error *error);
    /* Pass an event that is not selected. */
    csy_status (*pass)(void *user, const csy_event *event, csy_error *error);
    csy_status (*end)(void *user, csy_error *error);
    /* Change how bytes are written from now on; NULL: directly. */
    void (*relay)(void *user, const struct relay *relay);
    bool messages;    /* events need their flows, */
    bool takes_roles; /* or their roles, which are not copied for a worker */
    /* True if a write has failed, so that the rest need not be read. */
    bool (*failed)(const void *user);
};

struct writer {
    struct csy_trace *trace;
    const struct csy_sync *sync;
    const struct selection *selection; /* NULL: all events count, and none is written */
    const struct writer_format *format;
    void *user;
};

/* Selected events are counted in trace->written. */
csy_status writer_walk(const struct writer *writer, csy_error *error);

#endif
