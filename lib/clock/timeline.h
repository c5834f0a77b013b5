/* The events of a trace in any format, each with its thread and its local time. Threads of a .pex
 * are live intervals (intervals.c); threads of other formats follow from names in the trace
 * (timeline.c). A timeline reads a whole trace from its first record. Before it has read later
 * records, it may not know how often a decrementer wrapped. If it had to guess and was wrong,
 * timeline_finish sets *again. Then read the trace again, with the facts from the first timeline
 * (struct unwrap_lore in clock/unwrap.h). */
#ifndef CLOCK_TIMELINE_H
#define CLOCK_TIMELINE_H

#include "clock/threads.h"
#include "clock/unwrap.h"
#include "trace/trace.h"

/* Rules for local times, which are the same for all timelines of a trace. */
struct timeline_rules {
    int64_t imprecision_ticks; /* greatest error of PPE times, for unwrap_init */
    bool strict;
    const struct clock_steps *steps; /* the moments when clocks were set, or NULL */
    unwrap_closed closed;            /* limits the time between two records (rule 2 of
                                      * clock/unwrap.h); NULL: not used */
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
    int64_t imprecision_ticks; /* permitted error of PPE timestamps, for unwrap_init */
    bool strict;
    const struct unwrap_lore *known;
    unwrap_closed closed; /* limits the time between two records (clock/unwrap.h), or NULL */
    void *closed_user;
    /* True if another program (a notifier) records the switches. It may record an IN too late and
     * an OUT too early. If false, and a context has records before its first IN, then the record of
     * an OUT is missing. */
    bool notifier;
    /* True for a partial order. If `order` is GRANULARITY_RECORD, all PPE records limit elapsed
     * times (clock/unwrap.h). Otherwise, only the switches of the same context do. Threads may also
     * write records in blocks. If it is not known on which side of a switch a record of a block is,
     * the record gets a live interval of its own. */
    bool partial;
    enum granularity order;
};

/* Make an object that finds the live intervals of a trace and adds them to `threads`. rules->known
 * must outlive *out. */
csy_status intervals_new(struct threads *threads, const struct intervals_rules *rules,
                         struct intervals **out, csy_error *error);
void intervals_free(struct intervals *iv);

/* Call this after the last record. Returns CSY_INPUT if one file has records of a context without
 * switches, and another one has several switches IN: nobody knows where the records belong. */
csy_status intervals_check_files(const struct intervals *iv, const struct record_file *files,
                                 csy_error *error);

/* Add the next event. Sets its thread and its local time. event->ended becomes the live interval
 * that ended just before the event. The order of records in different files is unknown, so each
 * file begins new live intervals. `name` is the name of the file, for messages. */
csy_status intervals_push(struct intervals *iv, const char *name, struct event *event,
                          csy_error *error);

/* Returns true if intervals_take_run may be used for the next records. This requires a PPE record
 * before, and no struct ppe_window (clock/unwrap.h) from earlier passes for the time until the next
 * PPE record. *until becomes the position of the next PPE record with such a window. */
bool intervals_may_run(const struct intervals *iv, uint64_t *until);

bool intervals_may_continue(const struct intervals *iv, uint32_t context);

/* Returns true if the context has no live interval that a switch IN would end. */
bool intervals_may_enter(struct intervals *iv, uint32_t context);
void intervals_enter(struct intervals *iv, uint32_t context, uint64_t spe);

/* Returns true if a live interval must be begun (intervals_begin) at the context's next record,
 * because this record is the first one after a switch. */
bool intervals_may_begin(const struct intervals *iv, uint32_t context);

/* Begin a live interval, *thread, at a record with the timestamp decr. This record has local time
 * 0, and is not added yet. Call this only if intervals_may_begin returns true. */
csy_status intervals_begin(struct intervals *iv, uint32_t context, uint32_t decr, uint64_t position,
                           uint32_t *thread, csy_error *error);

/* End the live interval of the context at a switch OUT. decr and local_ticks are the timestamp and
 * the local time of its last record. intervals_may_continue must be true. */
void intervals_leave(struct intervals *iv, uint32_t context, uint64_t spe, uint32_t decr,
                     int64_t local_ticks);

/* The last record of a context in a run, and the PPE times around this record. */
struct context_run {
    uint32_t context, decr; /* id of the context, and timestamp of the record */
    int64_t local_ticks;    /* local time of the record */
    int64_t before_ticks;   /* time of the last PPE record before this record */
    bool has_after;         /* true if a PPE record follows in the same struct intervals_run */
    int64_t after_ticks;    /* time of the first PPE record after this record */
};

/* Successive records of known live intervals. None of these intervals begins or ends between
 * them. */
struct intervals_run {
    uint64_t ppe_records;
    int64_t ppe_first_ticks, ppe_last_ticks; /* times of the first and the last PPE record */
    uint64_t ppe_position;                   /* position of the last PPE record */
    const struct context_run *contexts;
    size_t ncontexts;
    /* Some elapsed times are provisional: the time of the first PPE record after the run may prove
     * them wrong. See the members of struct unwrapper (clock/unwrap.h). */
    uint64_t pending;
    int128 end_least_ticks;  /* some elapsed time is wrong if the next PPE record is before this
                              * time */
    int64_t end_reach_ticks; /* If that PPE record comes at least this much after ppe_last_ticks,
                              * some elapsed time may be too small by one wrap of the
                              * decrementer. */
};

csy_status intervals_take_run(struct intervals *iv, const struct intervals_run *run,
                              csy_error *error);

/* Finish after the last record. If *again is true, some local times may be wrong. Then read the
 * trace again, with *learnt as intervals_rules.known. The caller frees *learnt. */
csy_status intervals_finish(struct intervals *iv, bool *again, struct unwrap_lore *learnt,
                            csy_clock_report *report, csy_error *error);

/* --- Events of named threads ----------------------------------------------------------------
 *
 * Threads of the solution are named after clocks. If an event names no clock, its clock has the
 * name of its thread. Events of core ppe, and events with a clock called ppe but no core,
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

/* Finish after the last event. If *again is true, some local times may be wrong. Then read the
 * trace again, with *learnt as `known` of timeline_init. The caller frees *learnt. */
csy_status timeline_finish(struct timeline *timeline, bool *again, struct unwrap_lore *learnt,
                           csy_clock_report *report, csy_error *error);

#endif
