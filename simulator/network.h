/* Messages between ranks. A rank is a context with its own SPE; ranks may be on several nodes.
 *
 *      sender    ----[ call ]------------------>          [ call and wait ]----  (sync)
 *                           \                              /
 *                            \-- latency, queue, bytes    /
 *                             \                          /
 *      receiver  ----[ call ...           ]------------------------------------
 *
 * Ranks form a grid, and exchange messages with one neighbour after another. The rank in an even
 * row or column sends first, and its neighbour receives first, so that they never block each other.
 * At most one message is under way between two ranks. */
#ifndef PDTSIM_NETWORK_H
#define PDTSIM_NETWORK_H

#include "simulator/sim.h"

/* The state of the message from one neighbour to a rank. */
struct link {
    bool sent, posted, receiver_waits, sender_waits;
    int64_t arrives, posted_at;
};

enum { NEIGHBOURS = 4 };

/* Returns the number of columns of the grid: the greatest divisor of the number of ranks that is
 * not above its square root. */
size_t network_width(size_t ranks);

/* Do a part of OP_SWAP: exchange messages with all neighbours. Returns the time when the context
 * continues, or NEVER if another context must wake it. */
int64_t network_swap(struct sim *sim, struct context *context, const struct op *op, int64_t now);

/* Do a part of OP_MEET: wait at a barrier of all ranks. Returns the time when the context
 * continues, or NEVER if another context must wake it. */
int64_t network_meet(struct sim *sim, struct context *context, const struct op *op, int64_t now);

/* Returns the minimum time in ticks from the begin of a send to the end of its receive. */
int64_t network_latency_ticks(const struct machine *machine, bool same_node, int64_t bytes);

#endif
