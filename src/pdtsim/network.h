/*
 * Messages between ranks, which are contexts with an SPE each, and may be on several nodes.
 *
 *      sender    ----[ call ]------------------>          [ call and wait ]----  (sync)
 *                           \                              /
 *                            \-- latency, queue, bytes    /
 *                             \                          /
 *      receiver  ----[ call ...           ]------------------------------------
 *
 * Ranks are a grid, and swap edges with their neighbours, one after the other: of two neighbours
 * the even one sends first, the other one receives first, so that none waits for ever.  At most one
 * message is on its way from one to another.
 */
#ifndef PDTSIM_NETWORK_H
#define PDTSIM_NETWORK_H

#include "pdtsim/sim.h"

/* What is on its way to a rank from one of its neighbours. */
struct link {
    bool sent, posted, receiver_waits, sender_waits;
    int64_t arrives, posted_at;
};

enum { NEIGHBOURS = 4 };

/* The columns of the grid: the greatest divisor of the number of ranks that is not above its
 * root. */
size_t network_width(size_t ranks);

/* Swap edges with all neighbours, a step of OP_SWAP; and wait at a barrier of all, of OP_MEET. */
int64_t network_swap(struct sim *sim, struct context *context, const struct op *op, int64_t now);
int64_t network_meet(struct sim *sim, struct context *context, const struct op *op, int64_t now);

/* The least that a message of so many bytes takes from the begin of its send to the end of its
 * receive, in ticks. */
int64_t network_latency_ticks(const struct machine *machine, bool same_node, int64_t bytes);

#endif
