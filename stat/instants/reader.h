/* Reads the records of a trace, and extracts the parts that actors need. Most records ("plain
 * records") are read as they are in the file; others are decoded in batches. */
#ifndef INSTANTS_READER_H
#define INSTANTS_READER_H

#include "instants/instants.h"
#include "sync/events.h"
#include "trace/pex/record.h"

/* Sizes of the cache: powers of 2, or their logarithms (BITS). */
enum { MET_WRITERS = 256, MET_HEAD_BITS = 6, MET_ROUTINE_BITS = 6 };

struct met_writer {
    uint64_t key; /* kind and id of the writer, from met_writer_key */
    uint32_t actor;
};

/* Cached facts about records. They are the same for all records with the same first 8 bytes. */
struct met_head {
    _Alignas(32) uint64_t head; /* the first 8 bytes; 0 if this element is unused */
    uint32_t routine;           /* NO_TEXT means the routine entered last */
    uint32_t place;             /* offset of a routine address in the record; 0 if none */
    uint16_t size;              /* size of the records in bytes; 0 if this element is unused */
    bool spe;
    bool calls; /* true if the records only enter or exit a routine, which is cached */
    bool enters;
};

struct met_routine {
    uint64_t address; /* if unused, an address that belongs to another element */
    uint32_t routine;
};

struct met {
    struct met_writer writers[MET_WRITERS];
    struct met_head heads[1 << MET_HEAD_BITS];
    struct met_routine routines[1 << MET_ROUTINE_BITS];
};

/* Number of events in a batch. The events and their contents fit into the first-level CPU cache. */
enum { READER_BATCH = 128 };

struct reader {
    const csy_sync *sync;
    csy_events *events;
    struct event_kinds *event_kinds;
    struct actors *actors;
    struct partners partners; /* only initialized when first needed */
    csy_decoded *batch;       /* events 0 to `n` - 1; those before `next` were already returned */
    size_t next, n;
    struct events_next_plain plain; /* next records of the file that need no decoding; `taken` of
                                     * them were already read */
    size_t taken;
    struct met met;
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
                              .state = seen->event_kind.state,
                              .class = seen->event_kind.class};
}

/* `position` is the position of the record that ends a wait. Returns true if the wait began earlier
 * than the last `ahead` records before it. `oldest` is the greatest global time of all records
 * before these. */
static inline bool wait_is_long(const struct seen *seen, uint64_t position, size_t ahead,
                                int64_t oldest)
{
    return position >= ahead && (seen->ordered ? seen->first_record + ahead < position
                                               : seen->begin.global_ticks < oldest);
}

/* Facts about the records that the first pass has read. The members from `enters` on are only for
 * records that reader_pass has skipped. */
struct passed {
    uint64_t records;
    int64_t greatest; /* greatest global time so far */
    int64_t *recent;  /* [position & mask]: value of `greatest` after the record at this position */
    size_t mask;
    size_t ahead; /* a record is not skipped if it ends a wait that began more than this many
                   * records before */
    struct moment last;
    bool enters;
    bool waits;
    uint32_t thread; /* thread and global time of the last skipped record */
    int64_t global_ticks;
};

csy_status reader_open(struct reader *reader, const csy_sync *sync, struct event_kinds *event_kinds,
                       struct actors *actors, csy_error *error);
csy_status reader_next(struct reader *reader, struct seen *out, bool *more, csy_error *error);
/* In the first pass, skip records that need no decoding, but not the first record of the trace.
 * Stops before a record that is an interval with a call, that may be the first one after its actor
 * was switched in, or that ends a wait which began more than passed->ahead records before or may
 * have begun before its actor was switched in. */
csy_status reader_pass(struct reader *reader, struct passed *passed, csy_error *error);
void reader_close(struct reader *reader);

/* In the second pass, read up to READER_CALLS records that only enter or exit routines. Stops
 * before any other record. Must not be used if some calls in the trace are intervals. */
enum { READER_CALLS = 256 };
csy_status reader_calls(struct reader *reader, struct actor_call *out, size_t *n, csy_error *error);

#endif
