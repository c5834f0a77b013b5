/* Makes pairs and counts inversions of traces that are ordered only by blocks: runs of records that
 * a location collects and then flushes to a buffer.
 *
 * One pass finds the place of each flush in its buffer, under three conditions. The trace states no
 * order except blocks, or single records in buffers. Each location has one clock, uses one buffer
 * in one way, and has no timestamps that step back. No block is interrupted by other records of its
 * buffer. Memory grows only with locations, clocks, and pairs (graph/reduce_stream.h).
 *
 * Locations may also be spawned and joined. Then order/match.h receives the first and the last
 * record of each location, and the records that spawn or join. */
#ifndef SYNC_PARTIAL_BLOCKS_ONLY_H
#define SYNC_PARTIAL_BLOCKS_ONLY_H

#include "graph/reduce_stream.h"
#include "order/block_names.h"
#include "order/match.h"
#include "sync/solution.h"

struct progress;

enum line_record {
    LINE_RECORD_PLAIN,
    LINE_RECORD_PLACED, /* a record outside of blocks, which its buffer orders */
    LINE_RECORD_BEGINS, /* the first record of a block */
    LINE_RECORD_FLUSHED /* a record that is the flush of the block passed just before */
};

/* Receives records and flushes. x is the time of the last record in the flushed block. If the flush
 * has a timestamp, its time is from lo to hi; otherwise lo is x. */
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
    /* points of spawns and joins; NULL after `match` has received their records */
    struct points *lives;
    struct line_location *states; /* for each location: how it uses buffers, and its last record */
    size_t nstates, states_capacity;
    /* for each buffer: location that is filling a block, or NO_LOCATION */
    uint32_t *filled;
    size_t nfilled, filled_capacity;
    uint64_t blocks, stamped;
    /* true if the trace does not meet the conditions above; the sink then gets nothing more */
    bool broken;
};

struct waiting_flush;

struct blocks_only {
    enum block_after after;
    struct block_line line;
    struct reduce_stream *stream;
    struct points *points; /* points that the pairs refer to */
    uint32_t rate_ppb;     /* greatest drift of a clock in ppb; 0: clocks do not drift */
    uint32_t *rates;       /* rate_ppb for each clock seen so far */
    size_t nclocks, rates_capacity, nbuffers;
    /* for each location: last flush, if a later record will limit it */
    struct waiting_flush *waiting;
    size_t nwaiting, waiting_capacity;
    bool has_lives; /* true if some locations are spawned or joined */
};

/* Begin to make the pairs for 2 delta (twice the timestamp error) up to `window`. All clocks, also
 * the reference, drift by up to rate_ppb. *flat is 0 or used before. Always call
 * blocks_only_fini. */
csy_status blocks_only_start(struct blocks_only *flat, struct csy_sync *sync, int64_t window,
                             uint32_t rate_ppb, csy_error *error);
void blocks_only_fini(struct blocks_only *flat);

/* Add the next event at its rebased time x. If line->broken becomes true, pairs are invalid.
 * Returns CSY_INPUT, without a place in the message, if blocks are contradictory. O(1), except
 * flushes. */
csy_status blocks_only_event(struct block_line *line, const struct event *event, int64_t x,
                             csy_error *error);

/* After the last event, set the pairs of sync->partial. Pairs of spawns and joins imply all
 * constraints only at window 0, and only if pairs do not contradict each other. */
csy_status blocks_only_finish(struct blocks_only *flat, struct csy_sync *sync, csy_error *error);

/* Make the pairs for this window again, without drift. This may read the trace again. */
csy_status blocks_only_again(struct csy_sync *sync, int64_t window, const struct progress *progress,
                             csy_error *error);

csy_status blocks_only_measure(struct csy_sync *sync, const struct progress *progress,
                               csy_error *error);

#endif
