/* Flushes -> pairs of clocks, while they are read: the pairs of graph/reduce.h for traces that are
 * ordered only by flushes. Memory depends on the clocks and their pairs.
 *
 * A flush of clock t, between lo and hi, is in the chain of its buffer. The list of the buffer
 * holds the greatest lo of each clock that precedes it. hi arrives with a record of
 * the next block, perhaps much later. So each location keeps a snapshot of the list at its flush,
 * and makes the pairs when hi is known:
 *
 *   g[u] - g[t] <= hi - lo + 2 delta        for each lo of a clock u in the snapshot
 *
 * Entries that cannot matter any more are dropped, as in graph/reduce.h: those known at an earlier
 * flush of t follow from this one if its hi is known and at most lo - window. A flush without hi
 * takes part with its lo alone. */
#ifndef GRAPH_FLUSHES_H
#define GRAPH_FLUSHES_H

#include "graph/pair_table.h"

struct flush_entry;

/* The list of a buffer, or the snapshot of a location. */
struct flush_list {
    struct flush_entry *entries;
    size_t count, capacity;
    uint32_t places;        /* number of flushes so far */
    uint32_t place, buffer; /* of the flush that waits for hi */
    bool waits;
};

struct flush_lists {
    struct flush_list *items;
    size_t count, capacity;
};

struct flushes {
    struct points *points; /* the points of lists and pairs */
    size_t points_limit;   /* unused points are removed at this number */
    int64_t window;
    struct flush_lists buffers, waiting; /* waiting: by location */
    struct pair_table table;
};

/* The pairs are exact for 2 delta up to window. points is emptied, then filled. */
csy_status flushes_init(struct flushes *flushes, struct points *points, int64_t window,
                        csy_error *error);
void flushes_fini(struct flushes *flushes);

/* Add the next flush of a buffer: its location and clock, the greatest lo of its location up to the
 * flush, and the origin of lo. Locations and buffers are numbered from 0 as they appear. A waiting
 * flush of the same location is discarded. O(clocks in the list). */
csy_status flushes_add(struct flushes *flushes, const struct instant *flush, csy_error *error);

/* The last flush of the location, if it waits, preceded hi of this instant on its clock. O(clocks
 * in the snapshot). */
csy_status flushes_end(struct flushes *flushes, const struct instant *before, csy_error *error);

/* Add one pair: an instant precedes another. O(1). */
csy_status flushes_join(struct flushes *flushes, const struct instant *from,
                        const struct instant *to, csy_error *error);

/* Get the pairs, and in points only their points. */
csy_status flushes_collect(struct flushes *flushes, size_t nclocks, struct pairs *out,
                           csy_error *error);

#endif
