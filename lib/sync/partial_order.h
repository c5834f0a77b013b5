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
    struct points points; /* points that partial.pairs refers to; rebased (order/rebase.h) */
    csy_backward ours;    /* messages that are received before they are sent, by global time */
    /* names of channels and groups in explanations, which refer to these texts */
    struct walked_name *names;
    /* true if timestamps have no error, so they show which location sent or received */
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
    struct points lives; /* if `flat`: points of spawns and joins */
    int64_t least_added; /* 2 delta (twice the timestamp error) used for matching, or 0 */
    int64_t window;      /* greatest 2 delta for which `pairs` is exact (graph/reduce.h) */
    bool strict;         /* true if no constraints contradict each other at delta 0 */
    /* true if `points` and `match` do not have all messages of the trace */
    bool streamed;
    /* true if only roles, such as sends, order events (trace.loose); `match` has no channels */
    bool loose;
    csy_backward ours;            /* if `loose`: counts of messages received before they are sent */
    struct directions directions; /* if `loose`: numbers of messages from clock to clock */
    /* data for reading the trace again instead of storing its points, or NULL */
    struct walked *walked;
};

/* Returns the greatest number of clocks with which groups do not become vertices of pairs (hubs,
 * see graph/reduce.h), if no clock drifts. */
size_t partial_hubs_most(const struct csy_trace *trace);

/* Returns the points that `from` and `to` of the pairs refer to. */
struct points *partial_points(struct partial *partial);

void partial_fini(struct partial *partial);

#endif
