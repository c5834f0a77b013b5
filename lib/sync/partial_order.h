/* The part of a solution for a trace in partial order: the begins and ends of its records (called
 * points), their order, and the constraints between them. */
#ifndef SYNC_PARTIAL_ORDER_H
#define SYNC_PARTIAL_ORDER_H

#include "fast/fast.h"
#include "graph/reduce.h"
#include "order/loose.h"

struct csy_trace;

struct walked_name {
    struct walked_name *next;
    char text[];
};

/* Data for a trace that is read again when needed, instead of storing points
 * (sync/partial/walked.h). */
struct walked {
    struct streams_found found;
    struct points points; /* events that constraints refer to; times as in order/rebase.h */
    /* texts for explanations of bounds: the names of channels and groups */
    struct walked_name *names;
    /* true if timestamps have no error, so that they show which location sent a message */
    bool exact;
    bool counted; /* true if partial.match has the counts of the first pass */
    bool failed;  /* true if the trace must be read again, with all points stored */
};

struct partial {
    struct points points; /* begins and ends of records; times include rough offsets
                           * (order/rebase.h) */
    uint32_t *order;
    struct pairs pairs;
    int64_t *weight;     /* for each pair: weight plus 2 delta, shifted to be at least 0 */
    struct match *match; /* result of the matching, with the names of locations and channels */
    bool flat;           /* true if only blocks, spawns, and joins order it (blocks_only.h) */
    struct points lives; /* if `flat`: the events that spawn or join */
    int64_t least_added; /* 2 delta (twice the timestamp error) used for matching, or 0 */
    int64_t window;      /* `pairs` is exact if twice the timestamp error is at most this number of
                          * ticks (graph/reduce.h) */
    bool strict;         /* true if no constraints contradict each other at delta 0 */
    /* true if the trace was read without storing all messages in `points` and `match` */
    bool streamed;
    /* true if the file's order means nothing (trace.loose). `match` then has no channels. */
    bool loose;
    /* if `streamed`: counts of messages received before they are sent, in global time */
    csy_backward ours;
    struct directions directions; /* if `loose`: numbers of messages from clock to clock */
    /* data for reading the trace again instead of storing its points, or NULL */
    struct walked *walked;
};

/* Returns how many clocks a trace without drift may have before groups of events become vertices of
 * the graph (hubs, see graph/reduce.h). */
size_t partial_hubs_most(const struct csy_trace *trace);

/* Returns the events that the members `from` and `to` of a clock_pair refer to. */
struct points *partial_points(struct partial *partial);

void partial_fini(struct partial *partial);

#endif
