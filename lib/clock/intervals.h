/* Assigns the records of a .pex to live intervals, and computes their local times. See
 * cellsync-model(7), Live intervals.
 *
 * All records of an SPE context between two of its switches are one live interval, which is a
 * pseudo-thread. Its local time counts up from 0 at its first record, and is unwrapped
 * (clock/unwrap.h). */
#ifndef CLOCK_INTERVALS_H
#define CLOCK_INTERVALS_H

#include "clock/threads.h"
#include "clock/unwrap.h"
#include "trace/event.h"
#include "trace/pex/record.h"

/* For a partial order: the state of a context in the current and in earlier files. A residency is
 * the time from a switch IN to a switch OUT. */
struct context_files {
    size_t file;
    bool recorded, cut;   /* true if the file has records, or switches (cut), of the context */
    uint64_t offset;      /* file offset of the context's first record in the current file */
    uint64_t residencies; /* number of residencies that the switches in the current file show */
    bool has_bare;        /* true if bare_file has records but no switches of the context */
    bool has_many; /* true if an earlier file (many_file) has switches of several residencies */
    size_t bare_file, many_file;
    uint64_t bare_offset, many;
    /* The members below are used only if the records are in blocks. */
    uint64_t touched;   /* number of residencies that the current block may belong to */
    uint64_t residency; /* number of the last residency in the current file */
    uint64_t spe;       /* SPE of the last residency */
    /* residency of the current live interval, or UINT64_MAX if uncertain */
    uint64_t interval;
    uint64_t block;
    bool in_block; /* true if a record was in `block`, and no flush or switch followed */
    /* true if the unwrapper was not yet told the end of the last residency */
    bool has_out;
    uint64_t out_position;
    int64_t out_ticks;
    struct unwrapper unwrapper; /* used if each context has a separate unwrapper */
};

/* PPE times before and after a context's records, from SPE_THREAD_START and SPE_THREAD_STOP. */
struct context_life {
    bool started, stopped;
    int64_t start_ticks, stop_ticks;
};

/* A context with records but no switches in one file, and several residencies in another one. Its
 * records cannot be assigned to residencies. */
struct uncut {
    uint32_t context;
    size_t file;
    uint64_t offset; /* file offset of the context's first record in `file` */
    size_t other_file;
    uint64_t residencies; /* number of residencies in other_file */
};

struct intervals;

struct intervals_rules {
    int64_t imprecision_ticks; /* see unwrap_init for imprecision_ticks, strict, and known */
    bool strict;
    const struct unwrap_lore *known;
    unwrap_closed closed; /* function for rule 2 (clock/unwrap.h), or NULL */
    void *closed_user;
    /* True if a notifier writes the switches. It may write an IN too late and an OUT too early. If
     * a log writes them, records before the first IN prove that an OUT was lost. */
    bool notifier;
    /* True if the records are partially ordered. Unless `order` is GRANULARITY_RECORD, only the
     * switches of a context then limit the time between its records. A block that may belong to
     * several residencies becomes a separate live interval. */
    bool partial;
    enum granularity order;
};

/* Make an object that adds live intervals to `threads` as records are pushed. rules->known must
 * outlive *out. */
csy_status intervals_new(struct threads *threads, const struct intervals_rules *rules,
                         struct intervals **out, csy_error *error);
void intervals_free(struct intervals *iv);

/* Begin another file of unknown order: each context begins a new live interval. */
csy_status intervals_begin_file(struct intervals *iv, size_t file, csy_error *error);

/* Find the first context with records that fit no residency. Call this after the last record. */
bool intervals_find_uncut(const struct intervals *iv, struct uncut *out);

/* Add the next event, and set its thread and local time. `name` is the file, for messages. */
csy_status intervals_push(struct intervals *iv, const char *name, struct event *event,
                          csy_error *error);

/* Returns the live interval that ended before the last record, or NO_THREAD. */
uint32_t intervals_ended(const struct intervals *iv);

/* Returns true if intervals_take_run may be used: a PPE record was added, and earlier passes left
 * no facts (unwrap_lore) about the current window. *until is the position of the next record that
 * opens a window with facts. */
bool intervals_may_run(const struct intervals *iv, uint64_t *until);

bool intervals_may_continue(const struct intervals *iv, uint32_t context);

/* Returns true if a switch IN of the context would not end a live interval. */
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

/* A context in a run: its last record, and the PPE times before and after this record. */
struct context_run {
    uint32_t context, decr; /* context, and timestamp of the record */
    int64_t local_ticks;    /* local time of the record */
    int64_t before_ticks;   /* last PPE time before the record */
    bool has_after;         /* true if the run has a PPE time after the record */
    int64_t after_ticks;    /* first PPE time after the record */
};

/* Successive records that the caller assigned to live intervals. No interval begins or ends. */
struct intervals_run {
    uint64_t ppe_records;
    int64_t ppe_first_ticks, ppe_last_ticks; /* times of the first and the last PPE record */
    uint64_t ppe_position;                   /* position of the last PPE record in the run */
    const struct context_run *contexts;
    size_t ncontexts;
    /* Gaps after the last PPE record; their elapsed times depend on the next PPE time. */
    uint64_t pending;        /* number of gaps after the last PPE record */
    int128 end_least_ticks;  /* a next PPE time below this makes a gap wrong */
    int64_t end_reach_ticks; /* a next PPE time this much later makes a gap ambiguous */
};

csy_status intervals_take_run(struct intervals *iv, const struct intervals_run *run,
                              csy_error *error);

/* Finish after the last record. If *again is true, local times were provisional: read the trace
 * again with *learnt, which the caller owns. */
csy_status intervals_finish(struct intervals *iv, bool *again, struct unwrap_lore *learnt,
                            csy_clock_report *report, csy_error *error);

#endif
