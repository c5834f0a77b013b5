/* Messages to draw as arrows, with the local and global times of both ends. If there are too many
 * messages, arrows_find chooses those that took the least time beyond their latency, because these
 * limit the clocks most. */
#ifndef SYNC_PARTIAL_ARROWS_H
#define SYNC_PARTIAL_ARROWS_H

#include "sync/solution.h"

struct match;

struct arrow {
    uint32_t s, t;                      /* clocks of sender and receiver, which differ */
    int64_t sent_ticks, received_ticks; /* local times of send and receive */
    int64_t begin_ticks, end_ticks;     /* global times of send and receive */
    /* the message's time beyond its latency; arrows_keep prefers low values */
    int64_t key_ticks;
    uint64_t number; /* number of the message, increasing in the order of the trace */
};

struct arrows {
    struct arrow *items; /* sorted by number */
    size_t n;
    uint64_t messages; /* number of all messages, also of those that are not drawn */
    bool one_each;     /* true if at most one message of each channel was stored */
};

/* A trace with more records is not read again to find all messages of each channel. */
enum { ARROWS_RECORDS_MAX = 1000000 };

/* The messages of a trace. If its sends and receives are not stored, arrows_each reads them. */
struct arrows_source {
    const struct csy_sync *sync;
    const struct points *points; /* sends and receives of the messages, or NULL if they are not
                                  * stored */
    struct points own;
    struct match *match;
    bool one_each;
};

/* Prepare to find the messages of a trace, which may require reading it. The caller must call
 * arrows_close, even after an error. */
csy_status arrows_open(struct csy_trace *trace, const struct csy_sync *sync,
                       struct arrows_source *out, csy_error *error);
void arrows_close(struct arrows_source *source);

/* Pass each message between two clocks to `take`, sorted by number if points are stored. */
csy_status arrows_each(const struct arrows_source *source,
                       void (*take)(void *user, const struct arrow *arrow), void *user,
                       csy_error *error);

/* Add an arrow to the heap `items`, which has *n arrows. If it has more than `most` arrows then,
 * remove the one with the greatest key_ticks or, if equal, the greatest number. O(log most). */
void arrows_keep(struct arrow *items, size_t *n, size_t most, const struct arrow *arrow);

/* Find the `most` arrows with the least key_ticks. Always call arrows_fini. O(n log most) for n
 * messages. */
csy_status arrows_find(const struct arrows_source *source, size_t most, struct arrows *out,
                       csy_error *error);
void arrows_fini(struct arrows *arrows);

/* Read the trace again and match its sends and receives, for a solution that has no points. *points
 * must be empty. Always free *out, then *points. Memory grows with the number of messages. */
csy_status arrows_match(struct csy_trace *trace, const struct csy_sync *sync, struct points *points,
                        struct match **out, csy_error *error);

#endif
