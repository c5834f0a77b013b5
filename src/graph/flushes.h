/*
 * Flushes -> pairs of clocks, while they are read: what graph/reduce.h makes of flushes and nothing
 * else, in memory that goes with the clocks and their pairs.
 *
 * A flush of clock t, between lo and hi, is in the chain of its buffer.  What is known to be before
 * it is kept in the list of the buffer, of each clock the greatest lo; hi comes with a record of
 * the next block, maybe long after.  So a flush takes its place with what was known there as a
 * snapshot, one for each location, of which the pairs are made when hi is known:
 *
 *   g[u] - g[t] <= hi - lo + 2 delta        for each lo of a clock u in the snapshot
 *
 * Entries of a list that no more can matter are dropped, as in graph/reduce.h: what was known at an
 * earlier flush of t follows from this one if its hi was known by now and is at most lo - window.
 * A flush whose hi never comes takes part with its lo alone.
 */
#ifndef GRAPH_FLUSHES_H
#define GRAPH_FLUSHES_H

#include "graph/pair_table.h"

struct flush_entry;

/* Of a buffer, or of a flush that waits for hi. */
struct flush_list {
    struct flush_entry *entries;
    size_t count, capacity;
    uint32_t places;        /* flushes so far */
    uint32_t place, buffer; /* of the flush that waits */
    bool waits;
};

struct flush_lists {
    struct flush_list *items;
    size_t count, capacity;
};

struct flushes {
    struct points *points; /* those that lists and pairs are from */
    size_t points_limit;   /* others are removed when there are so many */
    int64_t window;
    struct flush_lists buffers, waiting; /* waiting: by location */
    struct pair_table table;
};

/* window: what follows from the pairs is exact for 2 delta up to it.  points is emptied and
 * filled. */
csy_status flushes_init(struct flushes *flushes, struct points *points, int64_t window,
                        csy_error *error);
void flushes_fini(struct flushes *flushes);

/* The next flush of a buffer: its location and clock, the greatest lo of what its location has
 * before it or at it, and where that is from.  Locations and buffers are numbered from 0 as they
 * come.  One of the same location that waits is forgotten.  O(clocks in the list). */
csy_status flushes_add(struct flushes *flushes, const struct instant *flush, csy_error *error);

/* The last flush of the location, which waits, was before hi of this instant, by its clock.
 * Nothing, where none waits.  O(clocks in the snapshot). */
csy_status flushes_end(struct flushes *flushes, const struct instant *before, csy_error *error);

/* An instant comes before another one: one pair of their clocks.  O(1). */
csy_status flushes_join(struct flushes *flushes, const struct instant *from,
                        const struct instant *to, csy_error *error);

/* The pairs, whose points are those that are left. */
csy_status flushes_collect(struct flushes *flushes, size_t nclocks, struct pairs *out,
                           csy_error *error);

#endif
