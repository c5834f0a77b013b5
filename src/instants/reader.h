/* The records of a trace, decoded in batches, as actors see them. */
#ifndef INSTANTS_READER_H
#define INSTANTS_READER_H

#include "instants/instants.h"
#include "instants/met.h"
#include "instants/partners.h"
#include "sync/events.h"

/* So many fit in the nearest cache, with what they carry. */
enum { READER_BATCH = 128 };

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
    uint64_t until;   /* so many, or a few more, are passed over at most */
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

/* --- For its parts: ------------------------------------------------------------------------- */

/* Whether all that is wanted of records is what they say of their writers. */
static inline bool reader_wants_plain(const struct reader *reader)
{
    return !reader->senses->leaves_wanted && !reader->senses->children_wanted;
}

/* Where all plain records were taken, let others come; false where some are left. */
bool reader_skip_plain(struct reader *reader);

/* More plain records, where all were taken; *more is false where there are none. */
csy_status reader_fill(struct reader *reader, bool *more, csy_error *error);

static inline int64_t reader_local(const struct reader *reader, uint32_t thread,
                                   int64_t global_ticks)
{
    return (int64_t)placement_local(reader->sync->views[thread].offset_ticks, global_ticks);
}

/* A record is passed over, at that time by a thread. */
static inline void passed_add(struct passed *passed, uint32_t thread, int64_t global_ticks)
{
    passed->greatest = global_ticks > passed->greatest ? global_ticks : passed->greatest;
    passed->recent[passed->records++ & passed->mask] = passed->greatest;
    passed->thread = thread;
    passed->global_ticks = global_ticks;
}

/* Pass over plain records that enter or exit, of those that were read. */
csy_status reader_pass_calls(struct reader *reader, struct passed *passed, csy_error *error);

#endif
