/* Messages to draw, with the local and global time of each end. The function arrows_find returns
 * all messages up to a maximum number. Of more messages, arrows_find returns those that took the
 * least time beyond their latency, because these determine the bounds. */
#ifndef SYNC_PARTIAL_ARROWS_H
#define SYNC_PARTIAL_ARROWS_H

#include "sync/solution.h"

struct match;

struct arrow {
    uint32_t s, t;                      /* clocks of sender and receiver, which differ */
    int64_t sent_ticks, received_ticks; /* local times of send and receive */
    int64_t begin_ticks, end_ticks;     /* global times of send and receive */
    int64_t key_ticks; /* arrows_keep keeps the least values; default: end - begin - latency */
    uint64_t number;   /* a number that increases from message to message */
};

struct arrows {
    struct arrow *items; /* sorted by number */
    size_t n;
    uint64_t messages; /* number of all messages, drawn or not */
    bool one_each;     /* true if only one message of each channel is known */
};

/* A trace with more records is not read again for further messages of a channel. */
enum { ARROWS_RECORDS_MAX = 1000000 };

/* The known messages of a solution. The points of the messages are in the solution or in this
 * struct. Without points, each arrows_each reads the trace again (sync/partial/replayed.h). */
struct arrows_source {
    const struct csy_sync *sync;
    const struct points *points; /* NULL without a partial order, or if the trace is read again */
    struct points own;
    struct match *match;
    bool one_each;
};

/* Prepare, and perhaps read the trace once more. Call arrows_close even after a failure. */
csy_status arrows_open(struct csy_trace *trace, const struct csy_sync *sync,
                       struct arrows_source *out, csy_error *error);
void arrows_close(struct arrows_source *source);

/* Pass each message between two clocks to `take`. Messages are sorted by number unless the trace is
 * read again. */
csy_status arrows_each(const struct arrows_source *source,
                       void (*take)(void *user, const struct arrow *arrow), void *user,
                       csy_error *error);

/* Add an arrow, and keep the `most` arrows with the least key_ticks and, for equal ones, the least
 * numbers. The heap `items` has room for `most` arrows, and *n is their number. O(log most). */
void arrows_keep(struct arrow *items, size_t *n, size_t most, const struct arrow *arrow);

/* Find at most `most` arrows. The caller calls arrows_fini even after a failure. O(messages log
 * most). */
csy_status arrows_find(const struct arrows_source *source, size_t most, struct arrows *out,
                       csy_error *error);
void arrows_fini(struct arrows *arrows);

/* Match all records again, for a solution that has only the points of some records. The set
 * `points` must be empty. The caller frees `points` after *out, even after a failure. Memory grows
 * with the messages. The trace is read once. */
csy_status arrows_match(struct csy_trace *trace, const struct csy_sync *sync, struct points *points,
                        struct match **out, csy_error *error);

#endif
