/* Makes pairs and counts inversions of traces that are ordered only by blocks.
 *
 * A pass finds the place of each flush in its buffer under three conditions. The trace states no
 * order except blocks, or records in buffers. Each location has one clock, uses one buffer in one
 * way, and has no timestamps that step back. No block is interrupted by other records of its
 * buffer. Memory grows only with locations, clocks, and pairs
 * (graph/reduce_stream.h).
 *
 * Locations may also be spawned and joined, but records that precede a spawn are not passed on.
 * The module order/match.h receives only the first and the last record of each location, and the
 * records that spawn or join. */
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
    LINE_RECORD_PLACED, /* a record outside blocks, which has its own place in the buffer */
    LINE_RECORD_BEGINS, /* the first record of a block */
    LINE_RECORD_FLUSHED /* a flush of the block just passed; chained if later records follow */
};

/* Receives records and flushes. The parameter x is the time of the last record of the flushed
 * block. The time of a flush is between lo and hi if it has a timestamp; otherwise lo is x. */
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
    struct match *match; /* numbers the locations and buffers */
    /* points of `match`; NULL after `match` has received all records that spawn or join */
    struct points *lives;
    struct line_location *states; /* for each location: its state */
    size_t nstates, states_capacity;
    /* for each buffer: the location whose block is being filled in the buffer, or NO_LOCATION */
    uint32_t *filled;
    size_t nfilled, filled_capacity;
    uint64_t blocks, stamped;
    bool broken; /* true if the trace needs order/match.h; the sink receives nothing more */
};

struct waiting_flush;

struct flat_blocks {
    enum block_after after;
    struct block_line line;
    struct reduce_stream *stream;
    struct points *points; /* points that the pairs refer to */
    uint32_t rate_ppb;     /* greatest drift of each clock; 0: clocks do not drift */
    uint32_t *rates;       /* for each clock so far: rate_ppb */
    size_t nclocks, rates_capacity, nbuffers;
    struct waiting_flush *waiting; /* for each location: its last flush */
    size_t nwaiting, waiting_capacity;
    bool has_lives; /* true if some locations are spawned or joined */
};

/* Begin to make the pairs of sync->partial, exact up to `window`. All clocks drift by up to
 * rate_ppb, even the reference, which is not known yet. Then pass events to flat_blocks_event. If
 * flat->line.broken becomes true, the result is invalid, because the trace has other constraints
 * than blocks. The parameter *flat is all 0 or was used before. Call flat_blocks_fini even after a
 * failure. */
csy_status flat_blocks_start(struct flat_blocks *flat, struct csy_sync *sync, int64_t window,
                             uint32_t rate_ppb, csy_error *error);
void flat_blocks_fini(struct flat_blocks *flat);

/* Add the next event, which must have a thread. Returns CSY_INPUT, with a message that lacks the
 * place, if blocks are contradictory. An event takes O(1), plus the time for a flush. */
csy_status flat_blocks_event(struct flat_blocks *flat, const struct event *event, int64_t x,
                             csy_error *error);

/* Finish the match after the last event, and set the pairs of sync->partial. Spawns and joins make
 * pairs between their two clocks only. The pairs imply all other constraints only at window 0. A
 * further condition is that no cycle of pairs is negative, or 0 for equal rates, because a cycle of
 * 0 may be a cycle of events. */
csy_status flat_blocks_finish(struct flat_blocks *flat, struct csy_sync *sync, csy_error *error);

/* Make the pairs for this window and for clocks that do not drift. The trace is read again unless
 * these pairs exist. */
csy_status flat_blocks_again(struct csy_sync *sync, int64_t window, const struct progress *progress,
                             csy_error *error);

/* Count inversions in sync->imprecision in a pass over the trace. */
csy_status flat_blocks_measure(struct csy_sync *sync, const struct progress *progress,
                               csy_error *error);

#endif
