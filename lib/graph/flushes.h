/* Turns flushes into pairs of clocks while they are read. The pairs are those of graph/reduce.h,
 * for traces that are ordered only by flushes. Memory depends on the number of clocks and their
 * pairs.
 *
 * The time of a flush of clock t is between lo and hi, and the flush is in the chain of its buffer.
 * The list of a buffer contains, for each clock, the greatest lo that precedes the end of the
 * chain. hi is known only when a record of the next block arrives, perhaps much later. So each
 * location stores a snapshot of the list at its flush, and makes the pairs when hi is known:
 *
 *   g[u] - g[t] <= hi - lo + 2 delta        for each lo of a clock u in the snapshot
 *
 * Entries that cannot matter any more are dropped, as in graph/reduce.h: if hi of an earlier flush
 * of t is known and at most lo - window, the entries known at the earlier flush follow from the
 * present flush. A flush without hi only contributes its lo. */
#ifndef GRAPH_FLUSHES_H
#define GRAPH_FLUSHES_H

#include "graph/reduce.h"

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

/* Begin. `points` is emptied first. The limits of rates must outlive the flushes. */
csy_status flushes_init(struct flushes *flushes, struct points *points,
                        const struct reduce_window *window, csy_error *error);
void flushes_fini(struct flushes *flushes);

/* Add the next flush of a buffer. *flush has its location and clock, the greatest lo of the
 * location up to the flush, and the position of that lo. Locations and buffers are numbered from 0
 * as they appear. If a flush of the same location still waits for hi, that flush is discarded.
 * O(clocks in the list). */
csy_status flushes_add(struct flushes *flushes, const struct instant *flush, csy_error *error);

/* Set hi of the last flush of a location, if the flush waits: it preceded hi of the instant
 * `before` on its clock. O(clocks in the snapshot). */
csy_status flushes_end(struct flushes *flushes, const struct instant *before, csy_error *error);

/* Add one pair: an instant precedes another. O(1). */
csy_status flushes_join(struct flushes *flushes, const struct instant *from,
                        const struct instant *to, csy_error *error);

/* Get the pairs. `points` then contains only the points of these pairs. */
csy_status flushes_collect(struct flushes *flushes, size_t nclocks, struct pairs *out,
                           csy_error *error);

#endif
