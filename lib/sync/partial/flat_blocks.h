/* Pairs and inversions of traces that only blocks order.
 *
 * A pass finds the place of each flush in its buffer, under the following conditions: the trace
 * states no order except blocks, or records in buffers; each location has one clock, uses one
 * buffer in one way, and has no timestamps that step back; and no block is interrupted by other
 * records of its buffer. Memory grows only with locations, clocks, and pairs
 * (graph/reduce_stream.h).
 *
 * Locations may also be spawned and joined, but records that precede a spawn are not passed on:
 * order/match.h receives only the first and the last record of each location, and the records that
 * spawn or join. */
#ifndef SYNC_PARTIAL_FLAT_BLOCKS_H
#define SYNC_PARTIAL_FLAT_BLOCKS_H

#include "graph/reduce_stream.h"
#include "order/block_names.h"
#include "order/match.h"
#include "sync/solution.h"

struct progress;

/* How a record is related to flushes. */
enum line_record {
    LINE_RECORD_PLAIN,
    LINE_RECORD_PLACED, /* in no block; the record has its own place in the buffer */
    LINE_RECORD_BEGINS, /* the first record of a block */
    LINE_RECORD_FLUSHED /* the flush of a block, which the sink has just received; chained if it
                           precedes later records of its location */
};

/* Receives records and flushes. x is the time of the end of the record, or of the last record of
 * the block. The time of a flush is between lo and hi if it has a timestamp; otherwise lo is x. */
struct block_sink {
    csy_status (*record)(void *user, const struct instant *record, enum line_record what,
                         csy_error *error);
    csy_status (*flush)(void *user, const struct instant *flush, int64_t x, bool stamped,
                        csy_error *error);
    void *user;
};

struct line_location;

struct block_line {
    struct block_sink sink;
    struct block_names names;
    struct match *match; /* numbers locations and buffers */
    /* The points of `match`. NULL after `match` has received all records that spawn or join. */
    struct points *lives;
    struct line_location *states; /* indexed by location */
    size_t nstates, states_capacity;
    /* by buffer: the location whose block is being filled in the buffer, or NO_LOCATION */
    uint32_t *filled;
    size_t nfilled, filled_capacity;
    uint64_t blocks, stamped;
    bool broken; /* the trace needs order/match.h; the sink receives nothing more */
};

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
 * rate_ppb, even the reference, which is not known yet. Then pass events to flat_blocks_event. If
 * flat->line.broken becomes true, the trace has other constraints than blocks, and the result is
 * invalid. flat is all 0 or was used before. The caller calls flat_blocks_fini even
 * after a failure. */
csy_status flat_blocks_start(struct flat_blocks *flat, struct csy_sync *sync, int64_t window,
                             uint32_t rate_ppb, csy_error *error);
void flat_blocks_fini(struct flat_blocks *flat);

/* Add the next event, which has a thread. CSY_INPUT, without the place, if blocks are
 * contradictory. O(1), plus the time for a flush. */
csy_status flat_blocks_event(struct flat_blocks *flat, const struct event *event, int64_t x,
                             csy_error *error);

/* Call after the last event: finishes the match, and sets the pairs of sync->partial. Spawns and
 * joins make pairs between their two clocks only. The pairs imply all other constraints only at
 * window 0, and only if no cycle of pairs is negative or 0 for equal rates, because a cycle of 0
 * may be a cycle of events. */
csy_status flat_blocks_finish(struct flat_blocks *flat, struct csy_sync *sync, csy_error *error);

/* Make the pairs for this window and clocks that do not drift; reads the trace again unless they
 * exist. */
csy_status flat_blocks_again(struct csy_sync *sync, int64_t window, const struct progress *progress,
                             csy_error *error);

/* Count inversions in sync->imprecision, from a pass over the trace. */
csy_status flat_blocks_measure(struct csy_sync *sync, const struct progress *progress,
                               csy_error *error);

#endif
