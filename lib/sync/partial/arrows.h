/* Messages to draw: where each leaves and arrives, in local and in global time.
 *
 * arrows_find returns all messages up to a maximum number. If there are more, it returns the
 * messages that took the least time beyond their latency, because these determine the bounds. */
#ifndef SYNC_PARTIAL_ARROWS_H
#define SYNC_PARTIAL_ARROWS_H

#include "sync/solution.h"

struct match;

struct arrow {
    uint32_t s, t;                      /* clocks; they differ */
    int64_t sent_ticks, received_ticks; /* local times */
    int64_t begin_ticks, end_ticks;     /* the same in global time */
    int64_t key_ticks; /* arrows_keep keeps the least keys; by default end - begin - latency */
    uint64_t number;   /* increases in the order of the messages */
};

struct arrows {
    struct arrow *items; /* by number */
    size_t n;
    uint64_t messages; /* all messages, even if not drawn or within one clock */
    bool one_each;     /* at most one message of each channel is known */
};

/* Traces with more records are not read again to find more than one message of each channel. */
enum { ARROWS_RECORDS_MAX = 1000000 };

/* The known messages of a solution. Its points are held here or by the solution; otherwise each
 * arrows_each reads the trace again (sync/partial/replayed.h). */
struct arrows_source {
    const struct csy_sync *sync;
    const struct points *points; /* NULL: no partial order, or the trace is read again */
    struct points own;
    struct match *match;
    bool one_each;
};

/* The caller calls arrows_close even after a failure. May read the trace once more. */
csy_status arrows_open(struct csy_trace *trace, const struct csy_sync *sync,
                       struct arrows_source *out, csy_error *error);
void arrows_close(struct arrows_source *source);

/* Pass each message between two clocks to `take`, in the order of their numbers unless the trace is
 * read again. */
csy_status arrows_each(const struct arrows_source *source,
                       void (*take)(void *user, const struct arrow *arrow), void *user,
                       csy_error *error);

/* Keep the `most` arrows with the least keys, and of equal keys the least numbers. items is a heap
 * with room for them; *n is their present number. O(log most). */
void arrows_keep(struct arrow *items, size_t *n, size_t most, const struct arrow *arrow);

/* Find at most `most` arrows. The caller calls arrows_fini even after a failure. O(messages log
 * most). */
csy_status arrows_find(const struct arrows_source *source, size_t most, struct arrows *out,
                       csy_error *error);
void arrows_fini(struct arrows *arrows);

/* Match all records again for a solution that has the points of some only. `points` must be empty;
 * the caller frees it, even after a failure, and after *out. Memory grows with the messages. Reads
 * the trace. */
csy_status arrows_match(struct csy_trace *trace, const struct csy_sync *sync, struct points *points,
                        struct match **out, csy_error *error);

#endif
