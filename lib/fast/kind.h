/* What the quick way is, whatever it reads: records (fast/records.c) or rows (fast/rows.c). */
#ifndef FAST_KIND_H
#define FAST_KIND_H

#include "clock/timeline.h"
#include "fast/run.h"
#include "fast/taken.h"

struct fast;

/* A stretch of the file, and the worker that takes it. */
struct segment {
    struct fast *fast;
    uint64_t number;
    uint64_t start, end; /* offsets: records that begin there are its own */
    uint64_t from, to;   /* of those taken */
    uint32_t crc;        /* of these bytes, where the trace is summed */
    uint8_t *out;        /* WRITING: what is written */
    size_t written;
    struct run run;
};

/* Of segments, at most. */
enum { FAST_WORKERS_MAX = 16 };

struct fast_kind {
    bool writes; /* records of a synchronized .pex */
    /* Whether records may be taken now. */
    bool (*is_open)(const struct fast *fast);
    void (*note)(struct fast *fast, const struct event *event, int64_t x);
    /* Take records of the reader's buffer. */
    csy_status (*take)(struct fast *fast, struct fast_taken *taken, csy_error *error);
    void (*free)(struct fast *fast);

    /* Segments.  A worker's own, by the worker's number; NULL on no memory. */
    struct segment *(*segment_new)(struct fast *fast, unsigned worker);
    void (*segment_free)(struct segment *segment);
    /* It is about to take another one: copy what will be needed.  No other worker is in fast. */
    void (*segment_prepare)(struct segment *segment);
    /* Take what is plain of it, as far as it goes. */
    void (*segment_take)(struct segment *segment);
    /* All before have landed: whether what was taken for granted is so, */
    bool (*segment_holds)(const struct segment *segment);
    /* and the clocks and the reader after it; the bytes are passed later. */
    csy_status (*segment_settle)(struct segment *segment, csy_error *error);
};

extern const struct fast_kind fast_records, fast_rows;

/* Of both, their first member. */
struct fast {
    const struct fast_kind *kind;
    struct timeline *timeline;
    struct rebase *rebase;
    struct sweep *sweep;       /* or NULL */
    const csy_thread *offsets; /* or NULL */
    enum purpose purpose;      /* of the present call */
    uint64_t limit;            /* of the present call: position of no record taken */
    struct measured *measured; /* of the present call, MEASURING */
    uint8_t *out;              /* of the present call, WRITING, and how much room there is */
    size_t room;
    int64_t *times;    /* of the present call, TIMING: where they go */
    uint32_t previous; /* thread of the last event, and its x; NO_THREAD: none yet */
    int64_t previous_x;
    int64_t greatest_x; /* so far, where that matters */
    struct run run;     /* of the reader's buffer */
    /* Of live intervals that begin and end on the way: */
    bool turns;              /* they may: see fast_take_turns */
    struct sweep_feed *feed; /* of the sweep, or NULL */
    const uint32_t *tau;     /* the thread that never ends */
    size_t crowd;
    /* Of fast/fast.c: */
    uint64_t segments_from;  /* offset in the file from which on they are tried */
    uint64_t patience_bytes; /* how far that was put off last time */
};

csy_status records_new(struct timeline *timeline, struct fast **out, csy_error *error);
csy_status rows_new(struct timeline *timeline, struct fast **out, csy_error *error);

/* Slot and x (MEASURING: global time) of the last event; false: no run may begin after it. */
bool fast_last(const struct fast *fast, uint32_t *slot, int64_t *x);

/* By what an x of the thread comes to its global time; 0 without offsets. */
int64_t fast_shift(const struct fast *fast, uint32_t thread);

/* What constraints call the thread. */
static inline uint32_t fast_slot(const struct fast *fast, uint32_t thread)
{
    return fast->sweep ? sweep_slot(fast->sweep, thread) : thread;
}

static inline uint32_t fast_thread(const struct fast *fast, uint32_t slot)
{
    return fast->sweep ? sweep_thread(fast->sweep, slot) : slot;
}

/* Begin a run after the last event; false where there is none, or no memory. */
bool run_begin(struct run *run, const struct fast *fast);

/* Begin one apart; its first event is not set.  False on no memory. */
bool run_begin_apart(struct run *run, const struct fast *fast);

/* Whether a run apart, which has records, may follow the events so far.  If so, it must be
 * settled. */
bool run_follows(const struct run *run, struct fast *fast);

/* Let order, sweep and measured take the run. */
void run_settle(const struct run *run, struct fast *fast);

#endif
