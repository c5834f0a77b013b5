/*
 * One walk over the events of a synchronized trace, for every format that is written.
 *
 * A format is a struct of functions.  The walk knows which events are selected, how many were
 * written, when to stop, and who is told of progress.
 */
#ifndef OUTPUT_TRACE_WRITER_H
#define OUTPUT_TRACE_WRITER_H

#include "output/file/relay.h"
#include "output/trace/selection.h"
#include "sync/events.h"

/* All of them with the user of the struct writer; any but event may be NULL. */
struct writer_format {
    csy_status (*begin)(void *user, csy_error *error);
    /* Many of the next events at once, in front of each of the others. */
    csy_status (*take_plain)(void *user, struct csy_events *events, csy_error *error);
    /* An event that is selected; source: all that is known of it.  Pointers hold until the next. */
    csy_status (*event)(void *user, const struct event *source, const csy_event *event,
                        csy_error *error);
    /* One that is not. */
    csy_status (*pass)(void *user, const csy_event *event, csy_error *error);
    csy_status (*end)(void *user, csy_error *error);
    /* Which way bytes are written from here on; NULL: the ordinary one. */
    void (*relay)(void *user, const struct relay *relay);
    bool messages;    /* events are to come with their flows, */
    bool takes_roles; /* or with their roles, which are not copied for a worker */
    /* Whether a write has failed, so that the rest need not be read. */
    bool (*failed)(const void *user);
};

struct writer {
    struct csy_trace *trace;
    const struct csy_sync *sync;
    const struct selection *selection; /* NULL: all events are meant, and none is written */
    const struct writer_format *format;
    void *user;
};

/* Events that are selected are counted in trace->written. */
csy_status writer_walk(const struct writer *writer, csy_error *error);

#endif
