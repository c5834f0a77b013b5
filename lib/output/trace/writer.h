/* A pass over the events of a synchronized trace, for every output format. A format is a struct of
 * functions. The pass selects and counts events, stops when requested, and reports progress. */
#ifndef OUTPUT_TRACE_WRITER_H
#define OUTPUT_TRACE_WRITER_H

#include "output/file/outfile.h"
#include "output/trace/settings.h"
#include "sync/events.h"

/* The records that an output contains, by a window of times or record numbers, and by threads. */
struct selection {
    bool all;
    int64_t from_ticks, to_ticks; /* first and last selected global time */
    uint64_t from_record, to_record;
    bool *threads; /* true for each selected thread or, in a CSV, track; NULL if all are selected */
};

bool selection_is_part(const csy_output *output);

/* Convert the settings of an output. Call selection_fini even after a failure. Returns CSY_USAGE
 * for wrong settings, and for a percentage as begin or end of the time window if the method
 * computes no offsets. */
csy_status selection_init(struct selection *selection, const struct csy_sync *sync,
                          const csy_output *output, csy_error *error);
void selection_fini(struct selection *selection);

static inline bool selection_has(const struct selection *selection, const csy_event *event)
{
    return selection->all ||
           (event->record >= selection->from_record && event->record <= selection->to_record &&
            event->global_ticks >= selection->from_ticks &&
            event->global_ticks <= selection->to_ticks &&
            (!selection->threads ||
             selection->threads[event->track == CSY_NO_TRACK ? event->thread : event->track]));
}

/* Functions of an output format. Each gets writer->user. All may be NULL, except `event`. */
struct writer_format {
    csy_status (*begin)(void *user, csy_error *error);
    /* Process as many of the next events as possible at once. Called before each single event. */
    csy_status (*take_plain)(void *user, struct csy_events *events, csy_error *error);
    /* Write a selected event. Pointers in the events are valid until the next event. */
    csy_status (*event)(void *user, const struct event *source, const csy_event *event,
                        csy_error *error);
    /* Called for each event that is not written, because the user did not select it. */
    csy_status (*pass)(void *user, const csy_event *event, csy_error *error);
    csy_status (*end)(void *user, csy_error *error);
    /* Write through the relay (another thread) from now on. NULL means to write directly again. */
    void (*relay)(void *user, const struct relay *relay);
    /* Returns true if a write has failed, so that reading can stop. */
    bool (*failed)(const void *user);
    bool has_file;    /* true if `user` begins with the only file; `relay` and `failed` are then
                       * NULL */
    bool messages;    /* true if events need their flows: the messages that they send and receive */
    bool takes_roles; /* true if `event` uses the member `roles` of events; a trace in partial
                       * order is then written by one thread */
};

struct writer {
    struct csy_trace *trace;
    const struct csy_sync *sync;
    const struct selection *selection; /* events to write; NULL: all, without counting */
    const struct writer_format *format;
    void *user;
};

/* Make a pass. trace->written counts the selected events. */
csy_status writer_walk(const struct writer *writer, csy_error *error);

/* --- Global times --- */

/* Returns an origin for formats without negative times: the least global time if it is negative,
 * otherwise 0. O(threads). */
int64_t times_base(const struct csy_sync *sync);

/* The range of an event's global time, widened by delta and rounded outward to whole ticks. An end
 * without a limit is INT64_MIN or INT64_MAX. */
struct times_range {
    int64_t earliest_ticks, latest_ticks;
};

/* Returns true if a clock may have been set at the event. Outputs mark the event as `step`. */
static inline bool times_is_set(const struct csy_sync *sync, const csy_event *event)
{
    return sync->survey.threads.items[event->thread].set;
}

/* Set ranges[0] to the earliest and latest possible global time of an event. If the trace also has
 * the local time when the event began, do the same with ranges[1] for its begin, and return true.
 * An event has no range if it was left out of the constraints or, with drift, if its clock lacks an
 * upper or lower limit. O(log n) for n constraints of the clock. */
bool times_event_ranges(const struct csy_sync *sync, const struct event *source,
                        const csy_event *event, struct times_range ranges[2]);

#endif
