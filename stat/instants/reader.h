/* Reads the records of a trace in batches, and extracts the parts that actors need. */
#ifndef INSTANTS_READER_H
#define INSTANTS_READER_H

#include "instants/actors.h"
#include "instants/instants.h"
#include "sync/events.h"
#include "trace/pex/record.h"

/* A cache for plain records as in the file: the last writer, head, and routine for each hash. */

/* Sizes of the cache for writers, heads, and routines; powers of 2. */
enum { MET_WRITERS = 256, MET_HEAD_BITS = 6, MET_ROUTINE_BITS = 6 };

struct met_writer {
    uint64_t key; /* kind and id of the writer */
    uint32_t actor;
};

/* Properties of records that begin with the same 8 bytes, which are their head. */
struct met_head {
    _Alignas(32) uint64_t head; /* 0: free slot */
    uint32_t routine;           /* if no value contains it; NO_TEXT: the innermost */
    uint32_t place;             /* offset of that value in the record; 0: none */
    uint16_t size;              /* size of the record; 0: no record has this head */
    bool spe;
    bool calls; /* the records enter or exit a routine that can be found */
    bool enters;
};

struct met_routine {
    uint64_t address; /* if the slot is free, an address of another slot */
    uint32_t routine;
};

/* Last writer, head, and routine for each hash. */
struct met {
    struct met_writer writers[MET_WRITERS];
    struct met_head heads[1 << MET_HEAD_BITS];
    struct met_routine routines[1 << MET_ROUTINE_BITS];
};

/* Events that fit in the first-level cache with their contents. */
enum { READER_BATCH = 128 };

struct reader {
    const csy_sync *sync;
    csy_events *events;
    struct senses *senses;
    struct actors *actors;
    struct partners partners; /* initialized when an actor other than the writer is needed */
    csy_decoded *batch;       /* READER_BATCH events */
    size_t next, n;
    struct events_next_plain plain; /* before the batch; the first `taken` were used */
    size_t taken;
    struct met met; /* cache for plain records */
};

static inline struct long_wait wait_of(const struct seen *seen, uint64_t position)
{
    return (struct long_wait){.end = position,
                              .actor = seen->actor,
                              .begin = seen->begin,
                              .ordered = seen->ordered,
                              .after = seen->first_record,
                              .called = seen->called,
                              .routine = seen->routine,
                              .waits = seen->waits,
                              .state = seen->sense.state,
                              .class = seen->sense.class};
}

/* True if a wait began before the look-ahead. oldest: greatest time up to the record just before
 * it, if there is one. */
static inline bool wait_is_long(const struct seen *seen, uint64_t position, size_t ahead,
                                int64_t oldest)
{
    return position >= ahead && (seen->ordered ? seen->first_record + ahead < position
                                               : seen->begin.global_ticks < oldest);
}

/* Facts about skipped records. */
struct passed {
    uint64_t records;
    int64_t greatest; /* greatest global time so far */
    int64_t *recent;  /* the same for each of the last records, at position & mask */
    size_t mask;
    size_t ahead; /* waits that began before this look-ahead are not skipped */
    struct moment last;
    bool enters;     /* some record enters a routine */
    bool waits;      /* some record ends a wait */
    uint32_t thread; /* thread and time of the last record */
    int64_t global_ticks;
};

csy_status reader_open(struct reader *reader, const csy_sync *sync, struct senses *senses,
                       struct actors *actors, csy_error *error);
csy_status reader_next(struct reader *reader, struct seen *out, bool *more, csy_error *error);
/* Skip plain records during the scan, after the first record. Stop at a record that may begin a
 * stay, that ends a long wait or a wait that may have begun before the stay, or that is an interval
 * with a call. */
csy_status reader_pass(struct reader *reader, struct passed *passed, csy_error *error);
void reader_close(struct reader *reader);

/* Read the next records that only enter or exit routines into `out`, with room for READER_CALLS,
 * after the scan. Stops at the first other record, so *n may be 0, and may return fewer records
 * than follow. Not for traces with intervals that are calls. */
enum { READER_CALLS = 256 };
csy_status reader_calls(struct reader *reader, struct actor_call *out, size_t *n, csy_error *error);

#endif
