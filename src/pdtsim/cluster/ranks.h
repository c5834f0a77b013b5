/*
 * Ranks that run on the SPEs of a cluster, and log what they do: [DBK09].
 *
 *      sender    --[ wait for the request ][ transfer ]------------
 *                           /              \
 *                     request               latency, transfer
 *                         /                      \
 *      receiver  --[ posted, waits             ...]----------------
 *
 * As in the Cell Messaging Layer the receiver asks for a message, and the sender then moves it:
 * both block.  Messages to other nodes take turns at the links of both nodes.  Collective
 * operations go up a tree, from SPEs to the first of their Cell, from Cells to the first of their
 * node, from nodes to the first one, and down again.
 *
 * Clocks of a node share an oscillator, and count from when their SPE's program began.
 */
#ifndef PDTSIM_CLUSTER_RANKS_H
#define PDTSIM_CLUSTER_RANKS_H

#include "pdtsim/activity.h"
#include "pdtsim/cluster/script.h"
#include "pdtsim/cluster/spool.h"
#include "pdtsim/options.h"
#include "pdtsim/queue.h"

/* What a rank waits for. */
enum waiting { WAITS_NOT, WAITS_TO_SEND, WAITS_TO_RECEIVE };

struct rank {
    struct script script;
    size_t at;     /* step */
    int64_t round; /* rounds done */
    bool busy;     /* with the step, which began at: */
    int64_t begin; /* cycles */
    enum waiting waiting;
    size_t meetings;      /* collective operations begun */
    int64_t dumped_at;    /* cycles: the last page that was filled is in memory */
    int64_t zero_ticks;   /* what its node's clock showed when its own began */
    int64_t last_ticks;   /* its last stamp */
    int64_t pause_cycles; /* spent waiting for pages */
};

struct node_of_ranks {
    struct clock clock;
    int64_t out_free_at, in_free_at; /* cycles: its link to other nodes */
};

/* A collective operation that has begun. */
struct meeting {
    size_t arrived;
    int64_t *times; /* of each rank: when it began, or NEVER */
};

struct ranks {
    const struct options *options;
    const struct machine *machine;
    struct places places;
    struct rank *ranks;
    struct node_of_ranks *nodes;
    size_t nnodes;
    int64_t rounds;
    struct queue queue;
    struct rng rng;
    struct meeting *meetings; /* from the first that is not over */
    size_t nmeetings, first_meeting, meetings_capacity;
    struct spool *spool;
    struct activity *activity; /* NULL: not asked for */
    int64_t ended_at;          /* cycles */
    bool failed;               /* for lack of memory */
};

csy_status ranks_new(const struct options *options, struct spool *spool, struct ranks **out,
                     csy_error *error);
void ranks_free(struct ranks *ranks);

/* Run all programs to their ends. */
csy_status ranks_run(struct ranks *ranks, csy_error *error);

/* Where a function is in memory. */
uint64_t ranks_address(size_t function);

#endif
