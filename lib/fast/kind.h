/* The interface of the two fast paths: for records (fast/records.c) and for rows (fast/rows.c). */
#ifndef FAST_KIND_H
#define FAST_KIND_H

#include "clock/timeline.h"
#include "fast/taken.h"
#include "graph/sweep.h"
#include "order/rebase.h"

/* A run is a series of records that the fast path takes one after another. This struct has their
 * counts, least values, and greatest values. These can be combined with the values of earlier runs.
 * If `apart` is true, a worker makes the run without knowing earlier events. */
struct run {
    enum purpose purpose;
    bool apart;
    uint64_t records;
    /* The threads of the first and the last record, as numbers from fast_slot, and the times x of
     * both records. x is the local time plus a rough estimate of the thread's offset
     * (order/rebase.h), or the global time for MEASURING. In an empty run, `last` is the event
     * before the run. */
    struct ends ends;
    /* same: number of records that follow a record of their thread. wrong: number of records with a
     * time before the previous one. least_step: least difference of the two times, or 0. */
    uint64_t same, wrong;
    int64_t least_step;
    struct sweep_run sweep;
    /* The members below are only for MEASURING. */
    struct inversions inversions;
    struct inversions_apart *kept; /* NULL if `apart` is false */
    int64_t least_ticks;
    bool by_time;
    int64_t first_local, last_local;
};

/* Add the next event, with the time x that struct run explains. Returns false, and does nothing, if
 * this event and the previous one have the same thread, and time goes back. Always returns true for
 * MEASURING. Not for WRITING and TIMING. */
static inline __attribute__((always_inline)) bool run_event(struct run *run, uint32_t slot,
                                                            int64_t x, enum purpose purpose)
{
    int64_t step = x - run->ends.last_x;
    /* negative if this event and the previous one have the same thread */
    int64_t same = (int64_t)((uint64_t)(slot ^ run->ends.last) - 1);
    if (purpose == MEASURING)
        step = (same & step) < 0 ? 0 : step;
    else if ((same & step) < 0)
        return false;
    run->same += (uint64_t)same >> 63;
    run->wrong += (uint64_t)step >> 63;
    if (__builtin_expect(step < run->least_step, 0))
        run->least_step = step;
    if (purpose == CONSTRAINING)
        sweep_run_step(&run->sweep, run->ends.last, slot, step);
    if (purpose == CARRYING)
        sweep_run_carry(&run->sweep, slot, x);
    if (purpose == MEASURING) {
        if (run->kept)
            inversions_apart_note(run->kept, x);
        else
            inversions_note(&run->inversions, x);
        run->least_ticks = x < run->least_ticks ? x : run->least_ticks;
    }
    run->ends.last = slot;
    run->ends.last_x = x;
    return true;
}

static inline void run_local(struct run *run, int64_t local_ticks)
{
    run->by_time = run->by_time && local_ticks >= run->last_local;
    run->last_local = local_ticks;
}

bool run_new(struct run *run, bool apart, enum purpose purpose);
void run_fini(struct run *run);

/* Set the first event of a run that a worker makes without knowing earlier events. Then call
 * run_event for the same event. */
static inline void run_set_first(struct run *run, uint32_t slot, int64_t x)
{
    run->ends = (struct ends){slot, slot, x, x};
}

/* A part of the file that one worker processes. */
struct segment {
    struct fast *fast;
    uint64_t number;
    uint64_t start, end; /* file offsets; records that begin in this range are taken */
    uint64_t from, to;   /* file offsets; range of the records that were taken */
    uint32_t crc;        /* checksum of the taken bytes, if the trace has one */
    uint8_t *out;        /* for WRITING: records with global timestamps */
    size_t written;
    struct run run;
};

enum { FAST_WORKERS_MAX = 16 };

struct fast_kind {
    bool writes; /* true if records can be written to a synchronized .pex */
    /* Returns true if the fast path may take records now. */
    bool (*is_open)(const struct fast *fast);
    void (*note)(struct fast *fast, const struct event *event, int64_t x);
    /* Takes records from the reader's buffer. */
    csy_status (*take)(struct fast *fast, struct fast_taken *taken, csy_error *error);
    void (*free)(struct fast *fast);

    /* Makes a segment for a worker. Returns NULL if memory runs out. */
    struct segment *(*segment_new)(struct fast *fast, unsigned worker);
    void (*segment_free)(struct segment *segment);
    /* Copies the current state of the trace to the segment, while no other worker uses `fast`. */
    void (*segment_prepare)(struct segment *segment);
    /* Takes records of the segment, until a record needs the ordinary path. */
    void (*segment_take)(struct segment *segment);
    /* Returns true if all that the worker assumed about earlier records was right. */
    bool (*segment_holds)(const struct segment *segment);
    /* Updates the clocks of threads to the end of the segment. The caller skips its bytes. */
    csy_status (*segment_settle)(struct segment *segment, csy_error *error);
};

extern const struct fast_kind fast_records, fast_rows;

/* The members that struct records and struct csv_rows have in common. They begin with this
 * struct. */
struct fast {
    const struct fast_kind *kind;
    struct timeline *timeline;
    struct rebase *rebase;
    struct sweep *sweep;       /* collects constraints between clocks; may be NULL */
    const csy_thread *offsets; /* offset of each thread to global time; may be NULL */
    struct fast_job job;       /* the job of the current call */
    /* thread of the last event, or NO_THREAD if there is none, and the time x of this event (struct
     * run) */
    uint32_t previous;
    int64_t previous_x;
    int64_t greatest_x;
    struct run run; /* run of the records in the reader's buffer */
    /* `turns` is true after a call of fast_take_turns; its arguments follow. */
    bool turns;
    struct sweep_feed *feed;
    const uint32_t *tau; /* *tau is the reference thread, which stays live */
    size_t crowd;
    /* The members below are for fast/fast.c. */
    uint64_t segments_from;  /* file offset of the next attempt to use segments */
    uint64_t patience_bytes; /* bytes to wait after the last attempt */
};

csy_status records_new(struct timeline *timeline, struct fast **out, csy_error *error);
csy_status rows_new(struct timeline *timeline, struct fast **out, csy_error *error);

/* Get the thread of the last event, as a number from fast_slot, and its time x, which struct run
 * explains. Returns false if no run can follow this event now. */
bool fast_last(const struct fast *fast, uint32_t *slot, int64_t *x);

/* Returns the thread's global time minus x (run.ends); 0 if fast->offsets is NULL. */
int64_t fast_shift(const struct fast *fast, uint32_t thread);

/* Returns the number that the sweep (graph/sweep.h) uses for a thread, or the number of the thread
 * if there is no sweep. */
static inline uint32_t fast_slot(const struct fast *fast, uint32_t thread)
{
    return fast->sweep ? sweep_slot(fast->sweep, thread) : thread;
}

static inline uint32_t fast_thread(const struct fast *fast, uint32_t slot)
{
    return fast->sweep ? sweep_thread(fast->sweep, slot) : slot;
}

/* Begin a run after the last event. Returns false if no run can follow it, or if memory runs
 * out. */
bool run_begin(struct run *run, const struct fast *fast);

/* Begin a run without knowing earlier events. Call run_set_first next. Returns false if memory runs
 * out. */
bool run_begin_apart(struct run *run, const struct fast *fast);

/* Returns true if the run, which a worker made without knowing earlier events, may follow the last
 * event. Then call run_settle. */
bool run_follows(const struct run *run, struct fast *fast);

void run_settle(const struct run *run, struct fast *fast);

#endif
