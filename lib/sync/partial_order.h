/* The part of a solution about a trace in partial order: points, their order, and their pairs. */
#ifndef SYNC_PARTIAL_ORDER_H
#define SYNC_PARTIAL_ORDER_H

#include "graph/reduce.h"
#include "order/loose.h"

struct csy_trace;
struct replayed;

struct partial {
    struct points points; /* their times are in x */
    uint32_t *order;
    struct pairs pairs;
    int64_t *weight;     /* weight of each pair, between x, with 2 delta */
    struct match *match; /* has the report and the names */
    bool flat;           /* the trace has only blocks (sync/partial/flat_blocks.h), */
    struct points lives; /* and spawns and joins, which are points of `match` */
    int64_t least_added; /* above 0: records were matched for this 2 delta */
    int64_t window;      /* pairs are exact up to this 2 delta */
    bool strict;         /* no cycle of pairs is negative at delta 0 */
    bool streamed;       /* the points and `match` lack some messages */
    bool loose; /* matched by order/loose.h: `match` has locations and counts, but no channels */
    csy_backward ours;            /* messages of a loose trace by global times, if measured */
    struct directions directions; /* of a loose trace */
    struct replayed
        /* Data for further passes if the kept messages do not suffice (sync/partial/replayed.h); or
         * NULL. */
        *replayed;
};

/* Pairs through hubs connect clocks directly if there are at most this many clocks, and they do not
 * drift (graph/reduce.h). */
size_t partial_hubs_most(const struct csy_trace *trace);

/* The points that the pairs refer to. */
struct points *partial_points(struct partial *partial);

/* Free all members and set them to 0. */
void partial_fini(struct partial *partial);
void partial_free(struct partial *partial);

#endif
