/*
 * Messages to be drawn: where each leaves and arrives, by its own clocks and in global time.
 *
 * arrows_find gives all of them, up to a number; of more those that took least time beyond their
 * latency, which are those that bounds rest on.
 */
#ifndef SYNC_PARTIAL_ARROWS_H
#define SYNC_PARTIAL_ARROWS_H

#include "sync/solution.h"

struct match;

struct arrow {
    uint32_t s, t;                      /* clocks, not the same */
    int64_t sent_ticks, received_ticks; /* local times */
    int64_t begin_ticks, end_ticks;     /* global times of the same */
    int64_t key_ticks; /* arrows_keep keeps the least: by default end minus begin minus latency */
    uint64_t number;   /* in the order of messages that are known */
};

struct arrows {
    struct arrow *items; /* by number */
    size_t n;
    uint64_t messages; /* between two clocks and within one, drawn or not */
    bool one_each;     /* at most one of each channel is known */
};

/* Traces with more records are not read again for more than one message of each channel. */
enum { ARROWS_RECORDS_MAX = 1000000 };

/* The messages of a solution that are known.  Its points are held, here or by the solution, or the
 * trace is read again for each arrows_each (sync/partial/replayed.h). */
struct arrows_source {
    const struct csy_sync *sync;
    const struct points *points; /* NULL: no partial order, or the trace is read again */
    struct points own;
    struct match *match;
    bool one_each;
};

/* The caller calls arrows_close even after a failure.  May read the trace once more. */
csy_status arrows_open(struct csy_trace *trace, const struct csy_sync *sync,
                       struct arrows_source *out, csy_error *error);
void arrows_close(struct arrows_source *source);

/* Give each message between two clocks to take, in the order of their numbers unless replayed. */
csy_status arrows_each(const struct arrows_source *source,
                       void (*take)(void *user, const struct arrow *arrow), void *user,
                       csy_error *error);

/* Keep the `most` arrows with the least keys, and of equal keys the least numbers.  items is a heap
 * with room for them, *n are in it so far.  O(log most). */
void arrows_keep(struct arrow *items, size_t *n, size_t most, const struct arrow *arrow);

/* At most `most` arrows.  The caller calls arrows_fini even after a failure.
 * O(messages log most). */
csy_status arrows_find(const struct arrows_source *source, size_t most, struct arrows *out,
                       csy_error *error);
void arrows_fini(struct arrows *arrows);

/* The points of all records of a trace whose solution has those of some only, and what matched
 * them, once more; points are empty, and to be freed even after a failure, and after *out.  Memory
 * by messages; reads the trace. */
csy_status arrows_match(struct csy_trace *trace, const struct csy_sync *sync, struct points *points,
                        struct match **out, csy_error *error);

#endif
