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
    LINE_RECORD_PLACED, /* a single record in a buffer, outside of blocks */
    LINE_RECORD_BEGINS, /* the first record of a block */
    LINE_RECORD_FLUSHED /* the flush (write) of the block passed just before */
};

/* Receives records, and flushes (writes) of blocks. x is the time of the last record in the block.
 * A `stamped` flush has a time from flush->lo to flush->hi; otherwise flush->lo is x. */
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
    /* true if a condition at the head of this file fails; the sink then gets nothing more */
    bool broken;
};

struct waiting_flush;

struct blocks_only {
    enum block_after after;
    struct block_line line;
    struct reduce_stream *stream;
    struct points *points; /* records and flushes that the pairs refer to */
    uint32_t rate_ppb;     /* greatest drift of a clock in ppb; 0: clocks do not drift */
    uint32_t *rates;       /* rate_ppb for each clock seen so far */
    size_t nclocks, rates_capacity, nbuffers;
    /* for each location: its last flush, until a later record limits its time */
    struct waiting_flush *waiting;
    size_t nwaiting, waiting_capacity;
    bool has_lives; /* true if some locations are spawned or joined */
};

/* Begin to make pairs (constraints), for 2 delta (twice the timestamp error) up to `window`. All
 * clocks, also the reference, drift by up to rate_ppb. *flat is 0 or used before. Always call
 * blocks_only_fini. */
csy_status blocks_only_start(struct blocks_only *flat, struct csy_sync *sync, int64_t window,
                             uint32_t rate_ppb, csy_error *error);
void blocks_only_fini(struct blocks_only *flat);

/* Add the next event; x is its time plus the clock's rough offset (order/rebase.h). If line->broken
 * becomes true, pairs are invalid. If blocks contradict each other, returns CSY_INPUT and a message
 * without a place. O(1), except flushes. */
csy_status blocks_only_event(struct block_line *line, const struct event *event, int64_t x,
                             csy_error *error);

/* After the last event, set sync->partial->pairs. They imply all constraints, those of spawns and
 * joins only if `window` was 0 and pairs do not contradict each other. */
csy_status blocks_only_finish(struct blocks_only *flat, struct csy_sync *sync, csy_error *error);

/* Make the pairs for 2 delta up to `window` again, without drift. May read the trace again. */
csy_status blocks_only_again(struct csy_sync *sync, int64_t window, const struct progress *progress,
                             csy_error *error);

csy_status blocks_only_measure(struct csy_sync *sync, const struct progress *progress,
                               csy_error *error);

#endif
