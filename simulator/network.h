/* Messages between ranks. A rank is a context with its own SPE; ranks may be on several nodes.
 *
 *      sender    ----[ call ]------------------>          [ call and wait ]----  (sync)
 *                           \                              /
 *                            \-- latency, queue, bytes    /
 *                             \                          /
 *      receiver  ----[ call ...           ]------------------------------------
 *
 * Ranks form a grid, and swap edges with one neighbour after another. The even one of two
 * neighbours sends first, and the other receives first, so they never wait for each other forever.
 * At most one message is under way between two ranks. */
#ifndef PDTSIM_NETWORK_H
#define PDTSIM_NETWORK_H

#include "simulator/sim.h"

/* The state of messages to a rank from one neighbour. */
struct link {
    bool sent, posted, receiver_waits, sender_waits;
    int64_t arrives, posted_at;
};

enum { NEIGHBOURS = 4 };

/* Returns the number of columns of the grid: the greatest divisor of the number of ranks that is
 * not above its square root. */
size_t network_width(size_t ranks);

/* network_swap does OP_SWAP: swap edges with all neighbours. network_meet does OP_MEET: wait at a
 * barrier of all ranks. Both return when the context continues. */
int64_t network_swap(struct sim *sim, struct context *context, const struct op *op, int64_t now);
int64_t network_meet(struct sim *sim, struct context *context, const struct op *op, int64_t now);

/* Returns the minimum time in ticks from the begin of a send to the end of its receive. */
int64_t network_latency_ticks(const struct machine *machine, bool same_node, int64_t bytes);

#endif
