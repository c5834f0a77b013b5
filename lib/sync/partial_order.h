/* The part of a solution about a trace in partial order: points (begins and ends of records), their
 * order, and pairs of points that limit each other. */
#ifndef SYNC_PARTIAL_ORDER_H
#define SYNC_PARTIAL_ORDER_H

#include "graph/reduce.h"
#include "order/loose.h"
#include "order/shared_ends.h"

struct csy_trace;
struct stream_start;
struct stream_member;

struct walked_name {
    struct walked_name *next;
    char text[];
};

/* The data stored in place of points, for reading messages again (sync/partial/walked.h). */
struct walked {
    struct stream_start *starts; /* for each location: where its records start in the trace */
    size_t nlocations;
    struct stream_member *members; /* members of collective operations */
    size_t nmembers;
    struct shared_keys shared; /* channels that several locations use */
    struct shared_keys open;   /* channels that contain sends without receives */
    struct points points;      /* points of partial.pairs, with rebased times (order/rebase.h) */
    csy_backward ours;         /* numbers of messages received before they are sent */
    struct walked_name *names; /* names of the channels in the solution's explanations */
    bool exact;                /* true if delta is 0, so timestamps show who used a channel */
    bool failed;               /* true if the trace must be read the ordinary way instead */
};

struct partial {
    struct points points; /* begins and ends of records, with rebased times (order/rebase.h) */
    uint32_t *order;
    struct pairs pairs;
    int64_t *weight;     /* for each pair: its weight in rebased time, plus 2 delta */
    struct match *match; /* results of matching messages, and names */
    bool flat;           /* true if only blocks, spawns, and joins order the trace */
    struct points lives; /* points of spawns and joins, which `match` finds */
    int64_t least_added; /* 2 delta (twice the timestamp error) used for matching, or 0 */
    int64_t window;      /* greatest 2 delta for which `pairs` contains all necessary pairs */
    bool strict;         /* true if no constraints contradict each other at delta 0 */
    bool streamed;       /* true if the points and `match` lack some messages */
    bool loose;          /* true if order/loose.h matched the events; `match` has no channels */
    csy_backward ours;   /* for a loose trace: counts of messages received before they are sent */
    struct directions directions; /* for a loose trace: numbers of messages between clocks */
    /* data for reading the trace again instead of storing its points, or NULL */
    struct walked *walked;
};

/* In a trace with at most this many clocks, all without drift, groups of points become direct pairs
 * of clocks. Otherwise, each group becomes a vertex of its own (graph/reduce.h). */
size_t partial_hubs_most(const struct csy_trace *trace);

/* Returns the points that the pairs refer to. */
struct points *partial_points(struct partial *partial);

void partial_fini(struct partial *partial);

#endif
