/*
 * Records of a .pex -> live intervals and local times.  cellsync-model(7), Live intervals.
 *
 * An SPE context's records between two of its switches are one live interval, a pseudo-thread whose
 * local time counts up from 0 at its first record, unwrapped (clock/unwrap.h).
 */
#ifndef CLOCK_INTERVALS_H
#define CLOCK_INTERVALS_H

#include "clock/threads.h"
#include "clock/unwrap.h"
#include "trace/event.h"
#include "trace/pex/record.h"

/* What a context has in each file of a trace in partial order, and what its own switches tell. */

/* What a context has in the file that is read now, and in those before; of a trace in partial
 * order. */
struct context_files {
    size_t file;
    bool recorded, cut;   /* it has records; switches */
    uint64_t offset;      /* of the first of these records */
    uint64_t residencies; /* that its switches tell */
    bool has_bare;        /* files before have records without switches: */
    bool has_many;        /* files before have several residencies: */
    size_t bare_file, many_file;
    uint64_t bare_offset, many;
    /* Of blocks: */
    uint64_t touched;   /* residencies since the block before this one had its place */
    uint64_t residency; /* the number of the last one, */
    uint64_t spe;       /* where it was, */
    uint64_t interval;  /* and of the one that its live interval is of */
    uint64_t block;
    bool in_block; /* records of that have come, and its place may be over */
    bool has_out;  /* the last one is over, as the unwrapper is told before the next begins: */
    uint64_t out_position;
    int64_t out_ticks;
    struct unwrapper unwrapper; /* where it is apart */
};

/* Between which stamps of the PPE a context has all its records, in a trace in partial order: those
 * of SPE_THREAD_START and SPE_THREAD_STOP, where they are spawns and joins. */
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

/* threads is filled; imprecision_ticks, strict and known are those of unwrap_init, and known must
 * outlive the object. */
csy_status intervals_new(struct threads *threads, int64_t imprecision_ticks, bool strict,
                         const struct unwrap_lore *known, struct intervals **out, csy_error *error);
void intervals_free(struct intervals *iv);

/* Switches come from a notifier, which may be late with an IN and early with an OUT; by default
 * from a log, where records before the first IN of their context prove that an OUT was lost. */
void intervals_heed_notifier(struct intervals *iv, bool notifier);

/* Let the closed bounds of the records so far settle what the PPE's stamps do not. */
void intervals_consult(struct intervals *iv, unwrap_closed closed, void *user);

/* The trace is in partial order.  Unless records are in line, only the stamps of a context's own
 * switches tell of the time between two of its records.  In blocks, one that may have been recorded
 * in several residencies is a live interval of its own. */
void intervals_set_partial(struct intervals *iv, enum granularity order);

/* The next record is in another file, of so many: nothing in those before tells what comes before
 * what in this one.  Contexts begin live intervals anew. */
csy_status intervals_begin_file(struct intervals *iv, size_t file, csy_error *error);

/* Once all records have passed: whether there is such a one, the first to have records. */
bool intervals_find_uncut(const struct intervals *iv, struct uncut *out);

/* Give the next event its thread and local time, which its record says.  name is the record file's,
 * for messages. */
csy_status intervals_push(struct intervals *iv, const char *name, struct event *event,
                          csy_error *error);

/* The live interval that the record just taken ended (its own last record precedes that), or
 * NO_THREAD.  Intervals that nothing ends are live to the end of the trace. */
uint32_t intervals_ended(const struct intervals *iv);

/* Whether records may be taken in runs now: a PPE record has passed, and nothing is known of the
 * present window; *until is the position of the next record that opens one of which something
 * is. */
bool intervals_may_run(const struct intervals *iv, uint64_t *until);

/* Whether the context's next record goes on with its live interval. */
bool intervals_may_continue(const struct intervals *iv, uint32_t context);

/* Whether a switch IN of the context begins a residency and ends none; if so, that it has. */
bool intervals_may_enter(struct intervals *iv, uint32_t context);
void intervals_enter(struct intervals *iv, uint32_t context, uint64_t spe);

/* Whether the context's next record begins a live interval in the residency that its last switch
 * began. */
bool intervals_may_begin(const struct intervals *iv, uint32_t context);

/* It has, reading decr: *thread is the live interval, which has no records so far; its time is
 * 0. */
csy_status intervals_begin(struct intervals *iv, uint32_t context, uint32_t decr, uint64_t position,
                           uint32_t *thread, csy_error *error);

/* A switch of the context has passed, OUT, whose live interval goes on so far
 * (intervals_may_continue): it is over.  decr and local_ticks are those of its last record. */
void intervals_leave(struct intervals *iv, uint32_t context, uint64_t spe, uint32_t decr,
                     int64_t local_ticks);

/* What a context's records in a run came to: what the last one read and its local time, the PPE's
 * time before it, and the one after it, if there is one yet. */
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
