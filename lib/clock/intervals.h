/*
 * Records of a .pex -> live intervals and local times. cellsync-model(7), Live intervals.
 *
 * The records of an SPE context between two of its switches are one live interval, a pseudo-thread
 * whose local time counts up from 0 at its first record, unwrapped (clock/unwrap.h).
 */
#ifndef CLOCK_INTERVALS_H
#define CLOCK_INTERVALS_H

#include "clock/threads.h"
#include "clock/unwrap.h"
#include "trace/event.h"
#include "trace/pex/record.h"

/* Contexts in each file of a trace in partial order, and the limits from their own switches. */

/* A context in the file that is read now, and in earlier files, of a trace in partial order. */
struct context_files {
    size_t file;
    bool recorded, cut;   /* it has records; switches */
    uint64_t offset;      /* of the first of these records */
    uint64_t residencies; /* that its switches tell */
    bool has_bare;        /* files before have records without switches: */
    bool has_many;        /* files before have several residencies: */
    size_t bare_file, many_file;
    uint64_t bare_offset, many;
    /* In blocks: */
    uint64_t touched;   /* residencies since the block before this one had its place */
    uint64_t residency; /* the number of the last one, */
    uint64_t spe;       /* where it was, */
    uint64_t interval;  /* and the residency of its live interval */
    uint64_t block;
    bool in_block; /* records of that have come, and its place may be over */
    bool has_out;  /* the last one is over, as the unwrapper is told before the next begins: */
    uint64_t out_position;
    int64_t out_ticks;
    struct unwrapper unwrapper; /* where it is apart */
};

/* The timestamps of the PPE between which a context has all its records, in a trace in partial
 * order: of SPE_THREAD_START and SPE_THREAD_STOP, if they are spawns and joins. */
struct context_life {
    bool started, stopped;
    int64_t start_ticks, stop_ticks;
};

/* A context that has records, but no switches, in one file, and switches that tell of several
 * residencies in another one. */
struct uncut {
    uint32_t context;
    size_t file;
    uint64_t offset; /* of its first record there */
    size_t other_file;
    uint64_t residencies; /* there */
};

struct intervals;

/* Fills threads. imprecision_ticks, strict, and known are as in unwrap_init; known must outlive the
 * object. */
csy_status intervals_new(struct threads *threads, int64_t imprecision_ticks, bool strict,
                         const struct unwrap_lore *known, struct intervals **out, csy_error *error);
void intervals_free(struct intervals *iv);

/* Switches come from a notifier, which may be late with an IN and early with an OUT; by default
 * from a log, where records before the first IN of their context prove that an OUT was lost. */
void intervals_heed_notifier(struct intervals *iv, bool notifier);

/* Use the closed bounds of the records so far for gaps that PPE timestamps leave open. */
void intervals_consult(struct intervals *iv, unwrap_closed closed, void *user);

/* The trace is in partial order.  Unless records are in line, only the timestamps of a context's
 * own switches limit the time between two of its records.  In blocks, a block that may have been
 * recorded in several residencies is a live interval. */
void intervals_set_partial(struct intervals *iv, enum granularity order);

/* The next record is in another file.  Earlier files do not order the records in this one.
 * Contexts begin new live intervals. */
csy_status intervals_begin_file(struct intervals *iv, size_t file, csy_error *error);

/* Once all records have passed: whether there is such a one, the first to have records. */
bool intervals_find_uncut(const struct intervals *iv, struct uncut *out);

/* Set the thread and the local time of the next event. name: the record file, for messages. */
csy_status intervals_push(struct intervals *iv, const char *name, struct event *event,
                          csy_error *error);

/* The live interval that the record just taken ended (its own last record precedes that), or
 * NO_THREAD.  Intervals that nothing ends are live to the end of the trace. */
uint32_t intervals_ended(const struct intervals *iv);

/* True if records may be taken in runs now: a PPE record has passed, and there is no lore for this
 * window.  *until: the position of the next record that opens a window with lore. */
bool intervals_may_run(const struct intervals *iv, uint64_t *until);

/* True if the context's next record continues its live interval. */
bool intervals_may_continue(const struct intervals *iv, uint32_t context);

/* True if a switch IN of the context begins a residency and ends none; then note that it does. */
bool intervals_may_enter(struct intervals *iv, uint32_t context);
void intervals_enter(struct intervals *iv, uint32_t context, uint64_t spe);

/* True if the context's next record begins a live interval in the residency of its last switch. */
bool intervals_may_begin(const struct intervals *iv, uint32_t context);

/* It has, reading decr: *thread is the live interval, which has no records so far; its time is
 * 0. */
csy_status intervals_begin(struct intervals *iv, uint32_t context, uint32_t decr, uint64_t position,
                           uint32_t *thread, csy_error *error);

/* A switch OUT of the context has passed, which ends the live interval that could go on until then
 * (intervals_may_continue). decr and local_ticks: of its last record. */
void intervals_leave(struct intervals *iv, uint32_t context, uint64_t spe, uint32_t decr,
                     int64_t local_ticks);

/* The records of a context in a run: reading and local time of the last one, the PPE's time before
 * it, and the PPE's time after it, if there is one yet. */
struct context_run {
    uint32_t context, decr;
    int64_t local_ticks;
    int64_t before_ticks;
    bool has_after;
    int64_t after_ticks;
};

/* Records next to one another that went into live intervals without intervals_push, which would
 * have begun and ended none. */
struct intervals_run {
    uint64_t ppe_records;
    int64_t ppe_first_ticks, ppe_last_ticks; /* times of the first and the last of them */
    uint64_t ppe_position;                   /* of the last one */
    const struct context_run *contexts;
    size_t ncontexts;
    /* The window that is open: how many records it has got, before what time its end must not
     * come, and how long after its beginning. */
    uint64_t pending;
    int128 end_least_ticks;
    int64_t end_reach_ticks;
};

csy_status intervals_take_run(struct intervals *iv, const struct intervals_run *run,
                              csy_error *error);

/* The last record has passed.  *again: the times given out were provisional; pass once more with
 * *learnt, which belongs to the caller. */
csy_status intervals_finish(struct intervals *iv, bool *again, struct unwrap_lore *learnt,
                            csy_clock_report *report, csy_error *error);

#endif
