/* The part of a solution about a trace in partial order: points, their order, and their pairs. */
#ifndef SYNC_PARTIAL_ORDER_H
#define SYNC_PARTIAL_ORDER_H

#include "graph/reduce.h"
#include "order/loose.h"
#include "order/shared_ends.h"

struct csy_trace;
struct stream_start;
struct meet_member;

/* The name of a channel, as an element of a linked list. */
struct replayed_name {
    struct replayed_name *next;
    char text[];
};

/* The data for reading a trace of messages again, which are stored instead of its points
 * (sync/partial/replayed.h). */
struct replayed {
    struct stream_start *starts; /* for each location: where its stream starts */
    size_t nlocations;
    struct meet_member *members; /* members of groups */
    size_t nmembers;
    struct shared_keys shared;   /* channels that several locations use */
    struct shared_keys open;     /* channels whose messages are not all received */
    struct points points;        /* points that the pairs refer to, on the rough timescale */
    csy_backward ours;           /* counts of all messages, set together with the inversions */
    struct replayed_name *names; /* channels that are named in steps of constraints */
    bool exact;                  /* true: delta is 0, so timestamps tell who used `shared` */
    bool failed; /* true if the trace cannot be read again, and must be read the ordinary way */
};

struct partial {
    struct points points; /* points with times on the rough timescale */
    uint32_t *order;
    struct pairs pairs;
    int64_t *weight;     /* for each pair: its weight with 2 delta, on the rough timescale */
    struct match *match; /* the report about messages, and the names */
    bool flat;           /* true if the trace has only blocks, spawns, and joins */
    struct points lives; /* points of spawns and joins, which `match` finds */
    int64_t least_added; /* if above 0: records were matched for this 2 delta */
    int64_t window;      /* greatest 2 delta for which the pairs are exact */
    bool strict;         /* true if no cycle of pairs is negative at delta 0 */
    bool streamed;       /* true if the points and `match` lack some messages */
    bool loose;          /* matched by order/loose.h: `match` has no channels */
    csy_backward ours;   /* messages of a loose trace in global time, if measured */
    struct directions directions; /* directions of the messages of a loose trace */
    struct replayed
        /* Data for further passes if the kept messages do not suffice (sync/partial/replayed.h), or
         * NULL. */
        *replayed;
};

/* Returns the greatest number of clocks without drift that pairs through hubs connect directly
 * (graph/reduce.h). */
size_t partial_hubs_most(const struct csy_trace *trace);

/* Returns the points that the pairs refer to. */
struct points *partial_points(struct partial *partial);

/* Free all members and set them to 0. */
void partial_fini(struct partial *partial);
void partial_free(struct partial *partial);

#endif
