/*
 * Traces of which nothing is known but blocks: their pairs, and their inversions, in memory that
 * goes with clocks and pairs (order/block_line.h, graph/flushes.h).
 */
#ifndef SYNC_PARTIAL_FLAT_BLOCKS_H
#define SYNC_PARTIAL_FLAT_BLOCKS_H

#include "sync/options.h"
#include "sync/partial_order.h"
#include "sync/solution.h"

/* Survey the trace, and make the pairs of sync->partial, with the window that the options want;
 * *flat is false where it says more, and what was read means nothing.  Pairs of spawns and joins
 * are those of neighbours alone: all that follows from them does so at window 0 only, and if no
 * cycle of pairs is negative, or 0, which may be a cycle of what comes before what. */
csy_status flat_blocks_read(struct csy_sync *sync, const csy_options *options,
                            const struct progress *progress, bool *flat, csy_error *error);

/* The pairs with this window: read the trace again unless they are there. */
csy_status flat_blocks_again(struct csy_sync *sync, int64_t window, const struct progress *progress,
                             csy_error *error);

/* As partial_measure. */
csy_status flat_blocks_measure(struct csy_sync *sync, const struct progress *progress,
                               csy_error *error);

#endif
