/*
 * Traces of which nothing is known but blocks: their pairs, and their inversions, in memory that
 * goes with clocks and pairs (order/block_line.h, graph/flushes.h).
 */
#ifndef SYNC_PARTIAL_FLAT_BLOCKS_H
#define SYNC_PARTIAL_FLAT_BLOCKS_H

#include "graph/flushes.h"
#include "order/block_line.h"
#include "sync/solution.h"

struct progress;

struct flat_blocks {
    enum block_after after;
    struct block_line line;
    struct flushes flushes;
    bool has_lives; /* locations that are spawned or joined */
};

/* Start to make pairs for sync->partial, with a window.  block_line_event then takes the events for
 * flat->line; if that is broken, there is more than blocks, and what was made means nothing.  flat
 * is 0, or was in use before.  The caller calls flat_blocks_fini even after a failure. */
csy_status flat_blocks_start(struct flat_blocks *flat, struct csy_sync *sync, int64_t window,
                             csy_error *error);
void flat_blocks_fini(struct flat_blocks *flat);

/* All events have come: finish the match of sync->partial, and make the pairs.  Spawns and joins
 * give pairs of neighbours alone.  Everything else follows from these at window 0 only, and only if
 * no cycle of pairs is negative or 0; a cycle of 0 may be a cycle of events. */
csy_status flat_blocks_finish(struct flat_blocks *flat, struct csy_sync *sync, csy_error *error);

/* The pairs with this window: read the trace again unless they are there. */
csy_status flat_blocks_again(struct csy_sync *sync, int64_t window, const struct progress *progress,
                             csy_error *error);

/* As partial_measure. */
csy_status flat_blocks_measure(struct csy_sync *sync, const struct progress *progress,
                               csy_error *error);

#endif
