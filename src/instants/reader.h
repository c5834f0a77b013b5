/* The records of a trace, decoded in batches, as actors see them. */
#ifndef INSTANTS_READER_H
#define INSTANTS_READER_H

#include "instants/instants.h"
#include "instants/partners.h"
#include "sync/events.h"

/* So many fit in the nearest cache, with what they carry. */
enum { READER_BATCH = 128 };

/* Writers that are found at once, a power of 2. */
enum { READER_WRITERS = 256 };

struct reader {
    const csy_sync *sync;
    csy_events *events;
    struct senses *senses;
    struct actors *actors;
    struct partners partners; /* once others than who records are looked for */
    csy_decoded *batch;       /* READER_BATCH */
    size_t next, n;
    struct events_next_plain plain; /* records that go before these, of which so many were taken */
    size_t taken;
    struct writer *writers; /* of plain records, by hashes: the last one of each */
};

struct writer {
    uint64_t key; /* its kind and id */
    uint32_t actor;
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

/* Whether a wait began before the look-ahead; oldest is the greatest time up to the record that is
 * just out of it, if there is one. */
static inline bool wait_is_long(const struct seen *seen, uint64_t position, size_t ahead,
                                int64_t oldest)
{
    return position >= ahead && (seen->ordered ? seen->first_record + ahead < position
                                               : seen->begin.global_ticks < oldest);
}

/* What comes to be known of records that are passed over. */
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

#endif
