/* Assigns the records of a .pex to live intervals, and computes their local times. See
 * cellsync-model(7), Live intervals.
 *
 * All records of an SPE context between two of its switches are one live interval. A live interval
 * is a pseudo-thread. Its local time counts up from 0 at its first record and is unwrapped
 * (clock/unwrap.h). */
#ifndef CLOCK_INTERVALS_H
#define CLOCK_INTERVALS_H

#include "clock/threads.h"
#include "clock/unwrap.h"
#include "trace/event.h"
#include "trace/pex/record.h"

/* For a trace in partial order: the contexts in each file, and limits of time that follow from the
 * switches of a context itself. */

/* The state of a context in the present file and in earlier files of a trace in partial order. */
struct context_files {
    size_t file;
    bool recorded, cut;   /* in the present file, the context has records; it has switches */
    uint64_t offset;      /* of the context's first record in the present file */
    uint64_t residencies; /* number of residencies that the switches in the present file show */
    bool has_bare; /* an earlier file, bare_file, has records of the context, but no switches */
    bool has_many; /* an earlier file, many_file, has switches for several residencies */
    size_t bare_file, many_file;
    uint64_t bare_offset, many;
    /* The members below are used only if records are in blocks. */
    uint64_t touched;   /* how many residencies the records of the present block may belong to */
    uint64_t residency; /* number of the last residency in this file */
    uint64_t spe;       /* the SPE of the last residency */
    /* the residency of the live interval that the last record belongs to; UINT64_MAX: not
     * certain */
    uint64_t interval;
    uint64_t block;
    bool in_block; /* `block` has records, and may have been flushed already */
    /* The last residency has ended, at out_position and out_ticks. The unwrapper is notified just
     * before the next residency begins. */
    bool has_out;
    uint64_t out_position;
    int64_t out_ticks;
    struct unwrapper unwrapper; /* used if each context has its own unwrapper */
};

/* The PPE timestamps before and after all records of a context, in a trace in partial order. They
 * come from SPE_THREAD_START and SPE_THREAD_STOP if these are spawns and joins. */
struct context_life {
    bool started, stopped;
    int64_t start_ticks, stop_ticks;
};

/* A context that has records without switches in one file, although its switches in another file
 * show several residencies. */
struct uncut {
    uint32_t context;
    size_t file;
    uint64_t offset; /* of the context's first record in `file` */
    size_t other_file;
    uint64_t residencies; /* number of residencies in other_file */
};

struct intervals;

/* Make an object that adds live intervals to `threads` as records are pushed. imprecision_ticks,
 * strict, and known are as in unwrap_init; known must outlive the object. */
csy_status intervals_new(struct threads *threads, int64_t imprecision_ticks, bool strict,
                         const struct unwrap_lore *known, struct intervals **out, csy_error *error);
void intervals_free(struct intervals *iv);

/* Set whether switches come from a notifier, which may write an IN too late and an OUT too early.
 * By default switches come from a log. In a log, records of a context before its first IN prove
 * that an OUT was lost. */
void intervals_heed_notifier(struct intervals *iv, bool notifier);

/* Use `closed`, which computes bounds from the records so far, for gaps that PPE timestamps leave
 * open (rule 2 in clock/unwrap.h). */
void intervals_consult(struct intervals *iv, unwrap_closed closed, void *user);

/* Declare that the trace is in partial order. Unless all records are in one line, only the
 * timestamps of a context's own switches then limit the time between two records of the context. If
 * records are in blocks, a block that may have been recorded in several residencies becomes a live
 * interval of its own. */
void intervals_set_partial(struct intervals *iv, enum granularity order);

/* Begin another file with the next record. Earlier files do not order the records of this file, so
 * every context begins a new live interval. */
csy_status intervals_begin_file(struct intervals *iv, size_t file, csy_error *error);

/* After the last record: true if there is an uncut context. *out is then the one whose records come
 * first. */
bool intervals_find_uncut(const struct intervals *iv, struct uncut *out);

/* Add the next event, and set its thread and local time. name is the name of the record file, for
 * messages. */
csy_status intervals_push(struct intervals *iv, const char *name, struct event *event,
                          csy_error *error);

/* The live interval that ended with the record added last, or NO_THREAD. The last record of the
 * live interval precedes that record. A live interval that no record ends is live until the end of
 * the trace. */
uint32_t intervals_ended(const struct intervals *iv);

/* True if records may now be added in runs (intervals_take_run): a PPE record has been added, and
 * there is no lore for the present window. *until is the position of the next record that opens a
 * window with lore. */
bool intervals_may_run(const struct intervals *iv, uint64_t *until);

/* True if the context's next record continues its live interval. */
bool intervals_may_continue(const struct intervals *iv, uint32_t context);

/* intervals_may_enter is true if a switch IN of the context would begin a residency without ending
 * one. intervals_enter then records this switch; call it only after intervals_may_enter. */
bool intervals_may_enter(struct intervals *iv, uint32_t context);
void intervals_enter(struct intervals *iv, uint32_t context, uint64_t spe);

/* True if the context's next record begins a live interval in the residency of its last switch. */
bool intervals_may_begin(const struct intervals *iv, uint32_t context);

/* Begin this live interval, after intervals_may_begin, at a record with timestamp decr. *thread is
 * the new live interval. It has no records yet, and its local time is 0. */
csy_status intervals_begin(struct intervals *iv, uint32_t context, uint32_t decr, uint64_t position,
                           uint32_t *thread, csy_error *error);

/* Record a switch OUT of the context. It ends the live interval for which intervals_may_continue
 * was true. decr and local_ticks are those of the last record of the live interval. */
void intervals_leave(struct intervals *iv, uint32_t context, uint64_t spe, uint32_t decr,
                     int64_t local_ticks);

/* The records of one context in a run: timestamp and local time of its last record, the last PPE
 * time before that record, and, if the run has one, the first PPE time after it. */
struct context_run {
    uint32_t context, decr;
    int64_t local_ticks;
    int64_t before_ticks;
    bool has_after;
    int64_t after_ticks;
};

/* A run: successive records that the caller assigned to live intervals itself, without
 * intervals_push. None of them begins or ends a live interval. */
struct intervals_run {
    uint64_t ppe_records;
    int64_t ppe_first_ticks, ppe_last_ticks; /* times of the first and the last PPE record */
    uint64_t ppe_position;                   /* of the last PPE record */
    const struct context_run *contexts;
    size_t ncontexts;
    /* For the window that is open at the end of the run: the number of gaps that were decided
     * provisionally, the earliest time at which the window may end, and how long after its begin it
     * may end, without changing these decisions. */
    uint64_t pending;
    int128 end_least_ticks;
    int64_t end_reach_ticks;
};

csy_status intervals_take_run(struct intervals *iv, const struct intervals_run *run,
                              csy_error *error);

/* Call it after the last record. If *again is true, the local times were provisional: read the
 * trace again with *learnt. The caller owns *learnt. */
csy_status intervals_finish(struct intervals *iv, bool *again, struct unwrap_lore *learnt,
                            csy_clock_report *report, csy_error *error);

#endif
