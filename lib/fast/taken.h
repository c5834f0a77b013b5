/* The results of the fast path for its callers (fast/fast.h). */
#ifndef FAST_TAKEN_H
#define FAST_TAKEN_H

#include "order/inversions.h"
#include "order/rebase.h"
#include "trace/pex/record.h"

/* The effects of global times. */
struct measured {
    struct inversions inversions;
    struct disorder disorder; /* of global times */
    bool by_time; /* no local time is below the one before it; for traces without contexts */
    int64_t last_local_ticks; /* INT64_MIN at the start */
    int64_t least_ticks;      /* least global time of the last run */
    int64_t last_ticks;       /* global time of the last record of the last run */
};

/* The records of one call. */
struct fast_taken {
    uint64_t records; /* 0: the next record must take the ordinary path */
    uint32_t thread;  /* thread of the last record, with its x */
    int64_t x;
    int64_t greatest_x; /* so far, for a trace with contexts; otherwise -X_MAX */
    /* When writing from the reader's buffer: the original bytes of the records, valid until the
     * next read. */
    const uint8_t *bytes;
    size_t size, written;
};

/* The destination of records with global timestamps. */
struct fast_sink {
    void *user;
    /* Reserve `size` bytes and return their place. Called in order, by one worker at a time. */
    uint64_t (*claim)(void *user, size_t size);
    /* Store bytes at a reserved place. Called by several workers at the same time. */
    void (*place)(void *user, const uint8_t *bytes, size_t size, uint64_t at);
};

/* The threads of the written records, valid until the next event is noted. */
enum {
    FAST_CONTEXTS = 1024,
    FAST_LOOKAHEAD = 256 /* readable bytes of the file after the begin of a written record */
};
struct fast_threads {
    uint32_t ppe;
    uint32_t spe[FAST_CONTEXTS]; /* by the low bits of the context */
};

/* The thread of a written record, of a context or of the PPE. */
static inline uint32_t fast_thread_by(const struct fast_threads *threads, bool spe, uint32_t id)
{
    return spe ? threads->spe[id % FAST_CONTEXTS] : threads->ppe;
}

static inline uint32_t fast_thread_of(const struct fast_threads *threads, const uint8_t *record)
{
    return fast_thread_by(threads, record_is_spe_at(record), record_writer_at(record));
}

#endif
