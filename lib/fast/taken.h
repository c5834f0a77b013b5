/* Jobs for the fast path (fast/fast.h), and their results. */
#ifndef FAST_TAKEN_H
#define FAST_TAKEN_H

#include "order/inversions.h"
#include "order/rebase.h"
#include "trace/pex/record.h"

struct measured {
    struct inversions inversions;
    struct disorder disorder; /* how well global times agree with the order of the records */
    bool by_time;             /* true if local times never decrease; not used with Cell contexts */
    int64_t last_local_ticks; /* last local time, or INT64_MIN at the start */
    int64_t least_ticks;      /* least global time in the last call of fast_run */
    int64_t last_ticks;       /* global time of the last record */
};

struct fast_taken {
    uint64_t records; /* 0 if the fast path cannot take the next record */
    uint32_t thread;  /* thread: thread of the last record. x: local time of this record plus the
                       * rough offset of its thread (order/rebase.h). */
    int64_t x;
    int64_t greatest_x;
    /* for writing: the records' original bytes, valid until the next read */
    const uint8_t *bytes;
    size_t size, written;
};

/* The destination of records with global timestamps. */
struct fast_sink {
    void *user;
    /* Reserves `size` bytes, in the order of segments, and returns their offset. */
    uint64_t (*claim)(void *user, size_t size);
    /* Stores bytes at a reserved offset. Called by several workers at the same time. */
    void (*place)(void *user, const uint8_t *bytes, size_t size, uint64_t at);
};

enum purpose {
    READING,      /* update clocks only */
    CONSTRAINING, /* find constraints between clocks if timestamps are exact */
    CARRYING,
    MEASURING, /* measure global times */
    WRITING,
    TIMING /* return global times */
};

/* A job for the fast path. If constraints are to be collected, fast_run replaces READING by
 * CONSTRAINING or CARRYING. */
struct fast_job {
    enum purpose purpose;
    uint64_t limit; /* only records before this position are taken */
    struct measured *measured;
    /* for WRITING: memory for records of the reader's buffer in .pex format, of `room` bytes */
    uint8_t *out;
    size_t room;
    const struct fast_sink *sink; /* for WRITING: several workers write here, if that is faster; may
                                   * be NULL */
    int64_t *times;               /* for TIMING: receives the global time of each record */
};

enum {
    FAST_CONTEXTS = 1024,
    FAST_LOOKAHEAD = 256 /* number of bytes that must be available from a record's begin on */
};

/* The threads of written records. Valid until the next call of fast_note. */
struct fast_threads {
    uint32_t ppe;
    uint32_t spe[FAST_CONTEXTS]; /* thread of each context, by the low bits of its id */
};

/* Returns the thread of a written record: of context `id` if `spe`, otherwise of the PPE. */
static inline uint32_t fast_thread_by(const struct fast_threads *threads, bool spe, uint32_t id)
{
    return spe ? threads->spe[id % FAST_CONTEXTS] : threads->ppe;
}

static inline uint32_t fast_thread_of(const struct fast_threads *threads, const uint8_t *record)
{
    return fast_thread_by(threads, record_is_spe_at(record), record_writer_at(record));
}

#endif
