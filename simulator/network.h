/* Messages between ranks. A rank is a context with its own SPE; ranks may be on several nodes.
 *
 *      sender    ----[ call ]------------------>          [ call and wait ]----  (sync)
 *                           \                              /
 *                            \-- latency, queue, bytes    /
 *                             \                          /
 *      receiver  ----[ call ...           ]------------------------------------
 *
 * Ranks form a grid, and swap edges with one neighbour after another. Of two neighbours, the even
 * one sends first and the other one receives first, so that they cannot wait for each other
 * forever. At most one message is under way between two ranks. */
#ifndef PDTSIM_NETWORK_H
#define PDTSIM_NETWORK_H

#include "simulator/sim.h"

/* A message under way to a rank from one of its neighbours. */
struct link {
    bool sent, posted, receiver_waits, sender_waits;
    int64_t arrives, posted_at;
};

enum { NEIGHBOURS = 4 };

/* The number of columns of the grid: the greatest divisor of the number of ranks up to its square
 * root. */
size_t network_width(size_t ranks);

/* network_swap is the step OP_SWAP: swap edges with all neighbours. network_meet is the step
 * OP_MEET: wait at a barrier of all ranks. Both return when the context continues. */
int64_t network_swap(struct sim *sim, struct context *context, const struct op *op, int64_t now);
int64_t network_meet(struct sim *sim, struct context *context, const struct op *op, int64_t now);

/* The minimum time in ticks from the begin of a send to the end of its receive, for this many
 * bytes. */
int64_t network_latency_ticks(const struct machine *machine, bool same_node, int64_t bytes);

#endif
