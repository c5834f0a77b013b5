/* The events of a trace in any format: each record with its thread and local time. Records of a
 * .pex are assigned to live intervals (clock/intervals.h), and other events by names.
 *
 * A timeline reads a whole trace from its first record. The first timeline of a trace may find out
 * that the trace must be read again, with the facts that the timeline collected (unwrap_lore in
 * clock/unwrap.h). timeline_finish then sets *again. */
#ifndef CLOCK_TIMELINE_H
#define CLOCK_TIMELINE_H

#include "clock/intervals.h"
#include "clock/threads.h"
#include "trace/trace.h"

/* Rules for local times, which are the same for all timelines of a trace. */
struct timeline_rules {
    int64_t imprecision_ticks; /* the permitted imprecision B in clock/unwrap.h */
    bool strict;
    const struct clock_steps *steps; /* the moments at which clocks were set, or NULL */
    unwrap_closed closed;            /* function for rule 2 of clock/unwrap.h */
    void *closed_user;
    /* a function that changes each record after reading, or NULL */
    csy_status (*prepare)(void *user, struct record *record, csy_error *error);
    void *prepare_user;
};

struct names;

struct timeline {
    struct csy_trace *trace;
    struct timeline_rules rules;
    struct threads threads;
    uint64_t records; /* number of records so far */
    size_t file;      /* index of the file that contains the last record */
    struct intervals *intervals;
    struct names *names;
};

/* --- Events of named threads ----------------------------------------------------------------
 *
 * Threads of the solution are named after clocks. If an event names no clock, its clock has the
 * name of its thread. Events of core ppe, and events without a core whose clock is called ppe,
 * share the clock `ppe`. Each named thread that uses a clock has a track. Timestamps already are
 * local times. */

/* Make an object that adds threads and tracks to `threads` as events are pushed. `steps`, which may
 * be NULL and must outlive names, tells where clocks were set. Each segment becomes a clock:
 * "NAME/2" after the first setting, and "NAME@POSITION" for a record during a setting. */
csy_status names_new(struct threads *threads, const struct clock_steps *steps, struct names **out,
                     csy_error *error);
void names_free(struct names *names);

/* Add the next event. Its timestamp determines its thread, track, and local time. */
csy_status names_push(struct names *names, struct event *event, const struct csy_trace *trace,
                      csy_error *error);

/* --- Events of any format ------------------------------------------------------------------- */

struct timeline_rules timeline_default_rules(const struct csy_trace *trace);

/* Rewind the trace and begin a timeline. `known` may be NULL; otherwise it must outlive the
 * timeline. Call timeline_fini even after a failure. */
csy_status timeline_init(struct timeline *timeline, struct csy_trace *trace,
                         const struct timeline_rules *rules, const struct unwrap_lore *known,
                         csy_error *error);
void timeline_fini(struct timeline *timeline);

/* Get the next event, which is valid until the next call. *more is false after the last event. */
csy_status timeline_next(struct timeline *timeline, struct event *event, bool *more,
                         csy_error *error);

/* Complete the last event with the function `describe` of its source (trace/source.h). */
csy_status timeline_describe(struct timeline *timeline, struct event *event, csy_error *error);

/* Finish. If *again is true, read the trace again with *learnt. The caller frees *learnt. */
csy_status timeline_finish(struct timeline *timeline, bool *again, struct unwrap_lore *learnt,
                           csy_clock_report *report, csy_error *error);

#endif
