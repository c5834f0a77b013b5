/* The records of a trace, decoded in batches, as actors see them. */
#ifndef INSTANTS_READER_H
#define INSTANTS_READER_H

#include "instants/actors.h"
#include "instants/instants.h"
#include "instants/partners.h"
#include "sync/events.h"
#include "trace/pex/record.h"

/*
 * What was met of plain records, as stored in the file: the last writer, head, and routine of each
 * hash.
 */

/* Writers, heads of records and routines that are found at once: powers of 2. */
enum { MET_WRITERS = 256, MET_HEAD_BITS = 6, MET_ROUTINE_BITS = 6 };

struct met_writer {
    uint64_t key; /* its kind and id */
    uint32_t actor;
};

/* Properties of records that begin with the same 8 bytes, their head. */
struct met_head {
    _Alignas(32) uint64_t head; /* 0: there is none */
    uint32_t routine;           /* where no value says it; NO_TEXT: the innermost */
    uint32_t place;             /* of that value, from the record on; 0: there is none */
    uint16_t size;              /* 0: no record begins so */
    bool spe;
    bool calls; /* they enter or exit, and say which routine, as far as they have to */
    bool enters;
};

struct met_routine {
    uint64_t address; /* if the slot is free, an address of another slot */
    uint32_t routine;
};

/* The last writer, head, and routine of each hash. */
struct met {
    struct met_writer writers[MET_WRITERS];
    struct met_head heads[1 << MET_HEAD_BITS];
    struct met_routine routines[1 << MET_ROUTINE_BITS];
};

/* This many events fit in the nearest cache, with their contents. */
enum { READER_BATCH = 128 };

struct reader {
    const csy_sync *sync;
    csy_events *events;
    struct senses *senses;
    struct actors *actors;
    struct partners partners; /* once others than who records are looked for */
    csy_decoded *batch;       /* READER_BATCH */
    size_t next, n;
    struct events_next_plain plain; /* records before these, of which `taken` were used */
    size_t taken;
    struct met met; /* of plain records */
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

/* True if a wait began before the look-ahead. oldest: the greatest time up to the record just
 * before it, if there is one. */
static inline bool wait_is_long(const struct seen *seen, uint64_t position, size_t ahead,
                                int64_t oldest)
{
    return position >= ahead && (seen->ordered ? seen->first_record + ahead < position
                                               : seen->begin.global_ticks < oldest);
}

/* Results for records that were passed over. */
struct passed {
    uint64_t records;
    int64_t greatest; /* global time up to the last one */
    int64_t *recent;  /* that up to each of the last ones, by position and mask */
    size_t mask;
    size_t ahead; /* waits that began before that look-ahead are not passed over */
    struct moment last;
    bool enters;     /* one enters a routine */
    bool waits;      /* one ends a wait */
    uint32_t thread; /* of the last one, when */
    int64_t global_ticks;
};

csy_status reader_open(struct reader *reader, const csy_sync *sync, struct senses *senses,
                       struct actors *actors, csy_error *error);
csy_status reader_next(struct reader *reader, struct seen *out, bool *more, csy_error *error);
/* Pass over records, before the trace was scanned and after its first one, as far as they are plain
 * and begin no stay, are no long waits, none that may have begun before their stay, and no
 * intervals that call. */
csy_status reader_pass(struct reader *reader, struct passed *passed, csy_error *error);
void reader_close(struct reader *reader);

/* Records that are calls and nothing else: the next ones, once the trace was scanned, into room for
 * READER_CALLS; as many as are at hand, up to the first record that is none; none where that is
 * the next.  No interval of the trace calls. */
enum { READER_CALLS = 256 };
csy_status reader_calls(struct reader *reader, struct actor_call *out, size_t *n, csy_error *error);

#endif
