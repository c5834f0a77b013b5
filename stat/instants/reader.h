/* Reads the records of a trace in batches, and extracts the parts that actors need. */
#ifndef INSTANTS_READER_H
#define INSTANTS_READER_H

#include "instants/actors.h"
#include "instants/instants.h"
#include "sync/events.h"
#include "trace/pex/record.h"

/* A cache for plain records, which are read as they are in the file. For each hash, the cache has
 * the last writer, the last head, and the last routine. */

/* Sizes of the cache for writers, heads, and routines. The sizes are powers of 2. */
enum { MET_WRITERS = 256, MET_HEAD_BITS = 6, MET_ROUTINE_BITS = 6 };

struct met_writer {
    uint64_t key; /* kind and id of the writer */
    uint32_t actor;
};

/* The properties of records with one head. The head is the first 8 bytes of a record. */
struct met_head {
    _Alignas(32) uint64_t head; /* 0: the slot is free */
    /* routine if no value of the record contains it; NO_TEXT: the innermost routine */
    uint32_t routine;
    /* offset of the value with the routine in the record; 0: no value contains the routine */
    uint32_t place;
    uint16_t size; /* size of the record; 0: no record has this head */
    bool spe;
    bool calls; /* the records only enter or exit a routine that can be found */
    bool enters;
};

struct met_routine {
    /* address of the routine; in a free slot, an address that belongs to another slot */
    uint64_t address;
    uint32_t routine;
};

/* For each hash, the last writer, the last head, and the last routine. */
struct met {
    struct met_writer writers[MET_WRITERS];
    struct met_head heads[1 << MET_HEAD_BITS];
    struct met_routine routines[1 << MET_ROUTINE_BITS];
};

/* The number of events that fit into the first-level cache with their contents. */
enum { READER_BATCH = 128 };

struct reader {
    const csy_sync *sync;
    csy_events *events;
    struct senses *senses;
    struct actors *actors;
    struct partners partners; /* initialized when an actor other than the writer is needed */
    csy_decoded *batch;       /* READER_BATCH events */
    size_t next, n;
    /* plain records before the batch; the first `taken` of them were used */
    struct events_next_plain plain;
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

/* Returns true if a wait began before the look-ahead. `oldest` is the greatest time up to the
 * record just before the look-ahead, if there is one. */
static inline bool wait_is_long(const struct seen *seen, uint64_t position, size_t ahead,
                                int64_t oldest)
{
    return position >= ahead && (seen->ordered ? seen->first_record + ahead < position
                                               : seen->begin.global_ticks < oldest);
}

/* Facts about the records that were scanned so far or, except for `recent`, only skipped. */
struct passed {
    uint64_t records; /* number of all records so far */
    int64_t greatest; /* greatest global time so far */
    int64_t *recent;  /* for each of the last records, at position & mask: value of `greatest` */
    size_t mask;
    size_t ahead; /* waits that began before this look-ahead (number of records) are not skipped */
    struct moment last;
    bool enters;     /* some skipped record enters a routine */
    bool waits;      /* some skipped record ends a wait */
    uint32_t thread; /* thread and time of the last skipped record */
    int64_t global_ticks;
};

csy_status reader_open(struct reader *reader, const csy_sync *sync, struct senses *senses,
                       struct actors *actors, csy_error *error);
csy_status reader_next(struct reader *reader, struct seen *out, bool *more, csy_error *error);
/* Skip plain records during the scan, after the first record. Stop at a record that may begin a
 * stay, or that is an interval with a call. Stop at the end of a long wait, or of a wait that may
 * have begun before the stay. */
csy_status reader_pass(struct reader *reader, struct passed *passed, csy_error *error);
void reader_close(struct reader *reader);

/* After the scan, read the next records that only enter or exit routines into `out`, which has room
 * for READER_CALLS records. Reading stops at the first other record, so *n may be 0, and may stop
 * earlier. Traces with intervals that are calls are excluded. */
enum { READER_CALLS = 256 };
csy_status reader_calls(struct reader *reader, struct actor_call *out, size_t *n, csy_error *error);

#endif
