/* The two kinds of fast paths: for records (fast/records.c), and for rows (fast/rows.c). */
#ifndef FAST_KIND_H
#define FAST_KIND_H

#include "clock/timeline.h"
#include "fast/run.h"
#include "fast/taken.h"

struct fast;

/* A part of the file for one worker. */
struct segment {
    struct fast *fast;
    uint64_t number;
    uint64_t start, end; /* offsets: records that begin in this range are taken */
    uint64_t from, to;   /* range of the taken records */
    uint32_t crc;        /* checksum of the taken bytes, if the trace has one */
    uint8_t *out;        /* WRITING: the written records */
    size_t written;
    struct run run;
};

enum { FAST_WORKERS_MAX = 16 };

struct fast_kind {
    bool writes; /* this kind can write records of a synchronized .pex */
    /* Returns true if records may be taken now. */
    bool (*is_open)(const struct fast *fast);
    void (*note)(struct fast *fast, const struct event *event, int64_t x);
    /* Takes records from the reader's buffer. */
    csy_status (*take)(struct fast *fast, struct fast_taken *taken, csy_error *error);
    void (*free)(struct fast *fast);

    /* Makes a segment for a worker. Returns NULL if memory runs out. */
    struct segment *(*segment_new)(struct fast *fast, unsigned worker);
    void (*segment_free)(struct segment *segment);
    /* Copies the data that the next segment needs. No other worker uses `fast` at this time. */
    void (*segment_prepare)(struct segment *segment);
    /* Takes the plain records of the segment up to the first other one. */
    void (*segment_take)(struct segment *segment);
    /* Tests the assumptions of the segment, after all previous segments have landed. */
    bool (*segment_holds)(const struct segment *segment);
    /* Updates the clocks and the reader to the end of the segment. Its bytes are skipped later. */
    csy_status (*segment_settle)(struct segment *segment, csy_error *error);
};

extern const struct fast_kind fast_records, fast_rows;

/* The state of both kinds. It is the first member of their structs. */
struct fast {
    const struct fast_kind *kind;
    struct timeline *timeline;
    struct rebase *rebase;
    struct sweep *sweep;       /* may be NULL */
    const csy_thread *offsets; /* may be NULL */
    /* purpose of the current call; the next members also belong to this call */
    enum purpose purpose;
    uint64_t limit;            /* only records before this position are taken */
    struct measured *measured; /* MEASURING */
    uint8_t *out;              /* WRITING: room for records */
    size_t room;
    int64_t *times;    /* TIMING: room for times */
    uint32_t previous; /* thread of the last event, at previous_x; NO_THREAD at the start */
    int64_t previous_x;
    int64_t greatest_x; /* greatest x so far, for traces with contexts */
    struct run run;     /* the run that is in the reader's buffer */
    /* For live intervals that begin and end in a run. */
    bool turns;              /* permitted by fast_take_turns */
    struct sweep_feed *feed; /* belongs to the sweep, or NULL */
    const uint32_t *tau;     /* thread that never ends */
    size_t crowd;
    /* For fast/fast.c: */
    uint64_t segments_from;  /* file offset from which segments are tried */
    uint64_t patience_bytes; /* how far segments were last postponed */
};

csy_status records_new(struct timeline *timeline, struct fast **out, csy_error *error);
csy_status rows_new(struct timeline *timeline, struct fast **out, csy_error *error);

/* Get slot and x (MEASURING: global time) of the last event. False if no run may follow it. */
bool fast_last(const struct fast *fast, uint32_t *slot, int64_t *x);

/* Returns global time minus x of the thread, or 0 without offsets. */
int64_t fast_shift(const struct fast *fast, uint32_t thread);

/* Returns the slot of the thread in the sweep or, without a sweep, the thread. */
static inline uint32_t fast_slot(const struct fast *fast, uint32_t thread)
{
    return fast->sweep ? sweep_slot(fast->sweep, thread) : thread;
}

static inline uint32_t fast_thread(const struct fast *fast, uint32_t slot)
{
    return fast->sweep ? sweep_thread(fast->sweep, slot) : slot;
}

/* Begin a run after the last event. Returns false if there is none, or if memory runs out. */
bool run_begin(struct run *run, const struct fast *fast);

/* Begin a run apart, without its first event. Returns false if memory runs out. */
bool run_begin_apart(struct run *run, const struct fast *fast);

/* Returns true if a run apart with records may follow the events so far. Then call run_settle. */
bool run_follows(const struct run *run, struct fast *fast);

/* Pass the effects of the run on to order, sweep, and measured. */
void run_settle(const struct run *run, struct fast *fast);

#endif
