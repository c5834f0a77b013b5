/* The events of a trace in any format: each record with its thread and local time. Records of a
 * .pex are assigned to live intervals (intervals.c), and other events to threads by names.
 *
 * A timeline reads a whole trace from its first record. A decrementer's wraps may be uncertain
 * until later records were read. timeline_finish then sets *again: read the trace again with the
 * facts that were found (unwrap_lore in clock/unwrap.h). */
#ifndef CLOCK_TIMELINE_H
#define CLOCK_TIMELINE_H

#include "clock/threads.h"
#include "clock/unwrap.h"
#include "trace/trace.h"

/* Rules for local times, which are the same for all timelines of a trace. */
struct timeline_rules {
    int64_t imprecision_ticks; /* greatest error of PPE times, for unwrap_init */
    bool strict;
    const struct clock_steps *steps; /* the moments at which clocks were set, or NULL */
    unwrap_closed closed;            /* rule 2 of unwrap.h, or NULL */
    void *closed_user;
    /* a function that changes each record after reading, or NULL */
    csy_status (*prepare)(void *user, struct record *record, csy_error *error);
    void *prepare_user;
};

struct intervals;
struct names;

struct timeline {
    struct csy_trace *trace;
    struct timeline_rules rules;
    struct threads threads;
    uint64_t records; /* number of records so far */
    struct intervals *intervals;
    struct names *names;
};

/* --- Live intervals -------------------------------------------------------------------------
 *
 * The records of a .pex are assigned to live intervals, which give their local times. See
 * cellsync-model(7), Live intervals.
 *
 * All records of an SPE context between two of its switches are one live interval, which is a
 * pseudo-thread. Its local time counts up from 0 at its first record, and is unwrapped
 * (clock/unwrap.h). */

struct intervals_rules {
    int64_t imprecision_ticks; /* greatest error of PPE times, for unwrap_init */
    bool strict;
    const struct unwrap_lore *known;
    unwrap_closed closed; /* limits the time between two records (clock/unwrap.h), or NULL */
    void *closed_user;
    /* True if another program (a notifier) records switches, perhaps an IN too late and an OUT too
     * early. If false, records of a context before its first IN prove that an OUT is missing. */
    bool notifier;
    /* True for a partial order. Unless `order` is GRANULARITY_RECORD, then only the switches of a
     * context, not all PPE records, limit times for unwrapping. Records of a block that may be
     * before or after a switch become a live interval of their own. */
    bool partial;
    enum granularity order;
};

/* Make an object that adds live intervals to `threads` as records are pushed. rules->known must
 * outlive *out. */
csy_status intervals_new(struct threads *threads, const struct intervals_rules *rules,
                         struct intervals **out, csy_error *error);
void intervals_free(struct intervals *iv);

/* Call this after the last record. Returns CSY_INPUT if one file has records of a context without
 * switches, and another one has several switches IN: nobody knows where the records belong. */
csy_status intervals_check_files(const struct intervals *iv, const struct record_file *files,
                                 csy_error *error);

/* Add the next event. Sets its thread, its local time, and event->ended, the live interval that
 * ended before it. Each file begins new live intervals, because the order of records in different
 * files is unknown. `name` is the file, for messages. */
csy_status intervals_push(struct intervals *iv, const char *name, struct event *event,
                          csy_error *error);

/* Returns true if intervals_take_run may add the next records: a PPE record was added, and earlier
 * passes stored no facts for the time until the next PPE record. *until becomes the position of the
 * next PPE record that opens a time with stored facts. */
bool intervals_may_run(const struct intervals *iv, uint64_t *until);

bool intervals_may_continue(const struct intervals *iv, uint32_t context);

/* Returns true if the context has no live interval, so a switch IN ends none. */
bool intervals_may_enter(struct intervals *iv, uint32_t context);
void intervals_enter(struct intervals *iv, uint32_t context, uint64_t spe);

/* Returns true if the context's next record is the first of a live interval after a switch. */
bool intervals_may_begin(const struct intervals *iv, uint32_t context);

/* Begin a live interval, *thread, at a record with the timestamp decr. It has no records yet, and
 * local time 0. intervals_may_begin must be true. */
csy_status intervals_begin(struct intervals *iv, uint32_t context, uint32_t decr, uint64_t position,
                           uint32_t *thread, csy_error *error);

/* Record a switch OUT, which ends a live interval; intervals_may_continue must be true. decr and
 * local_ticks are the timestamp and the local time of the last record. */
void intervals_leave(struct intervals *iv, uint32_t context, uint64_t spe, uint32_t decr,
                     int64_t local_ticks);

/* The last record of a context in a run, and the PPE times around this record. */
struct context_run {
    uint32_t context, decr; /* id of the context, and timestamp of the record */
    int64_t local_ticks;    /* local time of the record */
    int64_t before_ticks;   /* last PPE time before the record */
    bool has_after;         /* true if the run has a PPE time after the record */
    int64_t after_ticks;    /* first PPE time after the record */
};

/* Successive records of known live intervals, none of which begins or ends between them. */
struct intervals_run {
    uint64_t ppe_records;
    int64_t ppe_first_ticks, ppe_last_ticks; /* times of the first and the last PPE record */
    uint64_t ppe_position;                   /* position of the last PPE record in the run */
    const struct context_run *contexts;
    size_t ncontexts;
    /* Results that depend on the next PPE time after the run, as in struct unwrapper: */
    uint64_t pending;        /* number of provisional elapsed times */
    int128 end_least_ticks;  /* if the next PPE time is less, a provisional result is wrong */
    int64_t end_reach_ticks; /* if the next PPE time is at least this much after the last one, a
                              * provisional result may be a wrap too small */
};

csy_status intervals_take_run(struct intervals *iv, const struct intervals_run *run,
                              csy_error *error);

/* Finish after the last record. If *again is true, some local times may be wrong: read the trace
 * again with *learnt. The caller owns *learnt. */
csy_status intervals_finish(struct intervals *iv, bool *again, struct unwrap_lore *learnt,
                            csy_clock_report *report, csy_error *error);

/* --- Events of named threads ----------------------------------------------------------------
 *
 * Threads of the solution are named after clocks. If an event names no clock, its clock has the
 * name of its thread. Events of core ppe, and events without a core whose clock is called ppe,
 * share the clock `ppe`. Each named thread that uses a clock has a track. Timestamps already are
 * local times. */

/* Make an object that adds threads and tracks to `threads` as events are pushed. `steps` states
 * where clocks were set; it may be NULL, and must outlive *out. Such a clock becomes several:
 * "NAME/2" after it was first set, and "NAME@POSITION" for a record during which it was set. */
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
