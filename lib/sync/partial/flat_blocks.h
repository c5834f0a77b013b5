/* Traces whose only order comes from blocks: their pairs and inversions. Memory grows only with
 * clocks and pairs (order/block_line.h, graph/reduce_stream.h). */
#ifndef SYNC_PARTIAL_FLAT_BLOCKS_H
#define SYNC_PARTIAL_FLAT_BLOCKS_H

#include "graph/reduce_stream.h"
#include "order/block_line.h"
#include "sync/solution.h"

struct progress;

struct waiting_flush;

struct flat_blocks {
    enum block_after after;
    struct block_line line;
    struct reduce_stream *stream;
    struct points *points; /* of the pairs */
    uint32_t rate_ppb;     /* of each clock; 0: clocks do not drift */
    uint32_t *rates;       /* the same for each clock so far */
    size_t nclocks, rates_capacity, nbuffers;
    struct waiting_flush *waiting; /* by location */
    size_t nwaiting, waiting_capacity;
    bool has_lives; /* some locations are spawned or joined */
};

/* Begin to make the pairs of sync->partial, exact up to `window`. All clocks drift by up to
 * rate_ppb, even the reference, which is not known yet. Then pass events to block_line_event with
 * flat->line. If flat->line.broken becomes true, the trace has other constraints than blocks, and
 * the result is invalid. flat is all 0 or was used before. The caller calls flat_blocks_fini even
 * after a failure. */
csy_status flat_blocks_start(struct flat_blocks *flat, struct csy_sync *sync, int64_t window,
                             uint32_t rate_ppb, csy_error *error);
void flat_blocks_fini(struct flat_blocks *flat);

/* Call after the last event: finishes the match, and sets the pairs of sync->partial. Spawns and
 * joins make pairs between their two clocks only. The pairs imply all other constraints only at
 * window 0, and only if no cycle of pairs is negative or 0 for equal rates, because a cycle of 0
 * may be a cycle of events. */
csy_status flat_blocks_finish(struct flat_blocks *flat, struct csy_sync *sync, csy_error *error);

/* Make the pairs for this window and clocks that do not drift; reads the trace again unless they
 * exist. */
csy_status flat_blocks_again(struct csy_sync *sync, int64_t window, const struct progress *progress,
                             csy_error *error);

/* The same as partial_measure, for these traces. */
csy_status flat_blocks_measure(struct csy_sync *sync, const struct progress *progress,
                               csy_error *error);

#endif
