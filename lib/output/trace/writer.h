/* A pass over the events of a synchronized trace, for every output format. A format is a struct of
 * functions. The pass selects events, counts the written ones, stops when requested, and reports
 * progress. */
#ifndef OUTPUT_TRACE_WRITER_H
#define OUTPUT_TRACE_WRITER_H

#include "output/file/outfile.h"
#include "output/trace/selection.h"
#include "sync/events.h"

/* The functions of an output format, of which each gets the member user of struct writer. All
 * functions except `event` may be NULL. */
struct writer_format {
    csy_status (*begin)(void *user, csy_error *error);
    /* Process as many of the next events as possible at once. Called before each single event. */
    csy_status (*take_plain)(void *user, struct csy_events *events, csy_error *error);
    /* Write a selected event. `source` has all data of the event. Pointers are valid until the next
     * event. */
    csy_status (*event)(void *user, const struct event *source, const csy_event *event,
                        csy_error *error);
    /* Process an event that is not selected. */
    csy_status (*pass)(void *user, const csy_event *event, csy_error *error);
    csy_status (*end)(void *user, csy_error *error);
    /* Write through the relay from now on. NULL means to write directly. */
    void (*relay)(void *user, const struct relay *relay);
    /* Returns true if a write has failed, so that reading can stop. */
    bool (*failed)(const void *user);
    bool has_file;    /* true if `user` begins with a pointer to the only file; `relay` and `failed`
                       * are then NULL */
    bool messages;    /* true if events need their flows: the messages that they send and receive */
    bool takes_roles; /* true if events need their roles in a partial order; no worker is then
                       * used */
};

struct writer {
    struct csy_trace *trace;
    const struct csy_sync *sync;
    const struct selection *selection; /* events to write, or NULL for all, without counting */
    const struct writer_format *format;
    void *user;
};

/* Make a pass. trace->written counts the selected events. */
csy_status writer_walk(const struct writer *writer, csy_error *error);

#endif
