/* The interface of the two fast paths: for records (fast/records.c) and for rows (fast/rows.c). */
#ifndef FAST_KIND_H
#define FAST_KIND_H

#include "clock/timeline.h"
#include "fast/run.h"
#include "fast/taken.h"

struct fast;

/* A part of the file that one worker processes. */
struct segment {
    struct fast *fast;
    uint64_t number;
    uint64_t start, end; /* file offsets: records that begin in this range are taken */
    uint64_t from, to;   /* file offsets: range of the records that were taken */
    uint32_t crc;        /* checksum of the taken bytes, if the trace has one */
    uint8_t *out;        /* for WRITING: the records with global timestamps */
    size_t written;
    struct run run;
};

enum { FAST_WORKERS_MAX = 16 };

struct fast_kind {
    bool writes; /* records can be written to a synchronized .pex */
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
    /* Takes plain records of the segment, until a record is not plain. */
    void (*segment_take)(struct segment *segment);
    /* Returns true if the segment's assumptions are right. All previous segments have landed. */
    bool (*segment_holds)(const struct segment *segment);
    /* Updates the clocks and the reader to the segment's end. The caller skips the bytes later. */
    csy_status (*segment_settle)(struct segment *segment, csy_error *error);
};

extern const struct fast_kind fast_records, fast_rows;

/* The common state of both fast paths; the first member of struct records and struct csv_rows. */
struct fast {
    const struct fast_kind *kind;
    struct timeline *timeline;
    struct rebase *rebase;
    struct sweep *sweep;       /* receives constraints; may be NULL */
    const csy_thread *offsets; /* offsets by thread; may be NULL */
    /* purpose of the current call; the members `limit` to `times` also belong to the call */
    enum purpose purpose;
    uint64_t limit;            /* only records before this position are taken */
    struct measured *measured; /* for MEASURING: the results */
    uint8_t *out;              /* for WRITING: memory for records */
    size_t room;
    int64_t *times; /* for TIMING: memory for global times */
    /* thread of the last event, whose time is previous_x; NO_THREAD at the start */
    uint32_t previous;
    int64_t previous_x;
    int64_t greatest_x; /* greatest x of an event so far, for traces with contexts */
    struct run run;     /* run of the records in the reader's buffer */
    /* The members `turns` to `crowd` are for live intervals that begin and end in a run. */
    bool turns;              /* fast_take_turns was called */
    struct sweep_feed *feed; /* feed of the sweep, or NULL */
    const uint32_t *tau;     /* *tau is a thread that never ends */
    size_t crowd;
    /* The members below are for fast/fast.c. */
    uint64_t segments_from;  /* file offset from which segments are tried */
    uint64_t patience_bytes; /* number of bytes by which segments were last postponed */
};

csy_status records_new(struct timeline *timeline, struct fast **out, csy_error *error);
csy_status rows_new(struct timeline *timeline, struct fast **out, csy_error *error);

/* Get the slot and x of the last event; for MEASURING, x is the global time. Returns false if no
 * run may follow the event. */
bool fast_last(const struct fast *fast, uint32_t *slot, int64_t *x);

/* Returns the global time minus x for events of the thread, or 0 without offsets. */
int64_t fast_shift(const struct fast *fast, uint32_t thread);

/* Returns the slot of the thread in the sweep. Without a sweep, slots are threads. */
static inline uint32_t fast_slot(const struct fast *fast, uint32_t thread)
{
    return fast->sweep ? sweep_slot(fast->sweep, thread) : thread;
}

static inline uint32_t fast_thread(const struct fast *fast, uint32_t slot)
{
    return fast->sweep ? sweep_thread(fast->sweep, slot) : slot;
}

/* Begin a run after the last event. Returns false if no run may follow, or if memory runs out. */
bool run_begin(struct run *run, const struct fast *fast);

/* Begin a run apart, without its first event. Returns false if memory runs out. */
bool run_begin_apart(struct run *run, const struct fast *fast);

/* Returns true if a run apart, with records, may follow the events so far. Then call run_settle. */
bool run_follows(const struct run *run, struct fast *fast);

/* Add the effects of the run to the disorder, the sweep, and the measured results. */
void run_settle(const struct run *run, struct fast *fast);

#endif
