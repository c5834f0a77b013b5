/* What a solution keeps of a trace in partial order: its points, their order, and their pairs. */
#ifndef SYNC_PARTIAL_ORDER_H
#define SYNC_PARTIAL_ORDER_H

#include "graph/reduce.h"
#include "order/match.h"

struct csy_trace;
struct replayed;

struct partial {
    struct points points; /* in x */
    uint32_t *order;
    struct pairs pairs;
    int64_t *weight;        /* by pair: between x, with what is added */
    struct match *match;    /* which has the report, and names */
    bool flat;              /* only blocks are known (sync/partial/flat_blocks.h), */
    struct points lives;    /* and spawns and joins: those that match has made */
    int64_t least_added;    /* if above 0: the records were matched for this 2 delta */
    int64_t window;         /* of the pairs */
    bool strict;            /* no cycle of pairs is negative without what is added */
    bool thinned;           /* of each channel the points have one message only */
    bool streamed;          /* thinned, and match knows only the channels of these */
    struct replayed *again; /* NULL, or: clocks drift, kept messages are enough, and another pass
                               over the trace can measure records or list messages */
    bool lacks;             /* clocks drift, and kept messages are not enough */
    struct replayed
        *replayed; /* NULL, or streamed, and these are not enough (sync/partial/replayed.h) */
};

/* With so many clocks at most hubs are passed where these do not drift (graph/reduce.h). */
size_t partial_hubs_most(const struct csy_trace *trace);

/* Data for another pass over the trace, or NULL. */
struct replayed *partial_again(const struct partial *partial);

/* Those that pairs are from. */
struct points *partial_points(struct partial *partial);

/* It is empty then. */
void partial_fini(struct partial *partial);
void partial_free(struct partial *partial);

#endif
