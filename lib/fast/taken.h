/* What the quick way has taken, for those who asked it to (fast/fast.h). */
#ifndef FAST_TAKEN_H
#define FAST_TAKEN_H

#include "order/inversions.h"
#include "order/rebase.h"
#include "trace/pex/record.h"

/* What global times are found to do. */
struct measured {
    struct inversions inversions;
    struct disorder disorder; /* of global times */
    bool by_time; /* no local time is below the one before: of traces without contexts */
    int64_t last_local_ticks; /* INT64_MIN at the start */
    int64_t least_ticks;      /* global, of the last run, */
    int64_t last_ticks;       /* and of its last record */
};

/* What has been taken. */
struct fast_taken {
    uint64_t records; /* 0: the next one must go the ordinary way */
    uint32_t thread;  /* of the last one, and its x: */
    int64_t x;
    int64_t greatest_x;   /* so far, of a trace with contexts; else -X_MAX */
    const uint8_t *bytes; /* written from the reader's buffer: as they are in the file, until the
                             next read */
    size_t size, written;
};

/* Where records with global stamps go. */
struct fast_sink {
    void *user;
    /* Where the next so many bytes go.  Called in order, by one worker at a time. */
    uint64_t (*claim)(void *user, size_t size);
    /* Put them there.  Called by any worker, and side by side. */
    void (*place)(void *user, const uint8_t *bytes, size_t size, uint64_t at);
};

/* The threads of records that have been written, until the next event is noted. */
enum {
    FAST_CONTEXTS = 1024,
    FAST_LOOKAHEAD = 256 /* bytes of the file that can be read from where such a record begins */
};
struct fast_threads {
    uint32_t ppe;
    uint32_t spe[FAST_CONTEXTS]; /* by the low bits of the context */
};

/* That of such a record, of a context or a thread of the PPE. */
static inline uint32_t fast_thread_by(const struct fast_threads *threads, bool spe, uint32_t id)
{
    return spe ? threads->spe[id % FAST_CONTEXTS] : threads->ppe;
}

static inline uint32_t fast_thread_of(const struct fast_threads *threads, const uint8_t *record)
{
    return fast_thread_by(threads, record_is_spe_at(record), record_writer_at(record));
}

#endif
