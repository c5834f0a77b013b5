/* The part of a solution about a trace in partial order: points, their order, and their pairs. */
#ifndef SYNC_PARTIAL_ORDER_H
#define SYNC_PARTIAL_ORDER_H

#include "graph/reduce.h"
#include "order/loose.h"
#include "order/shared_ends.h"

struct csy_trace;
struct stream_start;
struct meet_member;

/* The name of a channel, in a list. */
struct replayed_name {
    struct replayed_name *next;
    char text[];
};

/* What is stored to read a trace of messages again, instead of its points
 * (sync/partial/replayed.h). */
struct replayed {
    struct stream_start *starts; /* one for each location */
    size_t nlocations;
    struct meet_member *members; /* members of groups */
    size_t nmembers;
    struct shared_keys shared;   /* channels with several locations */
    struct shared_keys open;     /* channels that lack receives */
    struct points points;        /* points that the pairs refer to, in x */
    csy_backward ours;           /* counts of all messages, set with the inversions */
    struct replayed_name *names; /* channels that steps of constraints name */
    bool exact;                  /* delta is 0: timestamps show which location used `shared` */
    bool failed;                 /* the trace cannot be read again, and must be read the ordinary
                                  * way */
};

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

/* The greatest number of clocks without drift that pairs through hubs connect directly
 * (graph/reduce.h). */
size_t partial_hubs_most(const struct csy_trace *trace);

/* The points that the pairs refer to. */
struct points *partial_points(struct partial *partial);

/* Free all members and set them to 0. */
void partial_fini(struct partial *partial);
void partial_free(struct partial *partial);

#endif
