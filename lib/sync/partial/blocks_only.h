/* Finds constraints, and events in the wrong order, for traces that are ordered only by blocks. A
 * block is a run of records that a location collects in its own memory. The location then flushes
 * (writes) the block to a buffer. The order in the buffer shows the order of the flushes.
 *
 * The trace is read once, under three conditions:
 * - The trace states no order except blocks, or single records in buffers.
 * - Each location has one clock, and its timestamps never step back. It writes only to one buffer,
 *   and always in the same way.
 * - No block is interrupted by other records of its buffer.
 * Memory grows only with the numbers of locations, clocks, and constraints.
 *
 * Locations may also start other locations, and wait for their ends. Then order/match.h receives
 * the first and the last record of each location, and the records that start or wait. */
#ifndef SYNC_PARTIAL_BLOCKS_ONLY_H
#define SYNC_PARTIAL_BLOCKS_ONLY_H

#include "graph/reduce.h"
#include "order/block_names.h"
#include "order/match.h"
#include "sync/solution.h"

struct progress;

enum line_record {
    LINE_RECORD_PLAIN,
    LINE_RECORD_PLACED, /* a single record that was written to a buffer, not in a block */
    LINE_RECORD_BEGINS, /* the first record of a block */
    LINE_RECORD_FLUSHED /* a record of the time when a block was flushed (written) */
};

/* Functions for records and for flushes (writes of blocks). x is the time of the last record in the
 * block. If `stamped` is true, the trace states that the flush was from flush->lo to flush->hi.
 * Otherwise flush->lo is x. */
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
    /* the events where locations are created or end; NULL if no longer needed */
    struct points *lives;
    struct line_location *states; /* one for each location */
    size_t nstates, states_capacity;
    /* for each buffer: the location that is filling a block, or NO_LOCATION */
    uint32_t *filled;
    size_t nfilled, filled_capacity;
    uint64_t blocks, stamped;
    /* true if the trace violates one of the three conditions at the head of this file */
    bool broken;
};

struct waiting_flush;

struct blocks_only {
    enum block_after after;
    struct block_line line;
    struct reduce_stream *stream;
    struct points *points; /* events between which there are constraints */
    uint32_t rate_ppb;     /* greatest drift of a clock in ppb; 0: clocks do not drift */
    uint32_t *rates;       /* rate_ppb for each clock seen so far */
    size_t nclocks, rates_capacity, nbuffers;
    /* for each location: its last flush, until a later record of the location shows an upper
     * limit of the time of the flush */
    struct waiting_flush *waiting;
    size_t nwaiting, waiting_capacity;
    bool has_lives; /* true if some locations are spawned or joined */
};

/* Prepare to find constraints, for timestamp errors of at most window/2 ticks, and for clocks that
 * drift by at most rate_ppb. *flat must be all 0, or have been used before. Call blocks_only_fini
 * even after an error. */
csy_status blocks_only_start(struct blocks_only *flat, struct csy_sync *sync, int64_t window,
                             uint32_t rate_ppb, csy_error *error);
void blocks_only_fini(struct blocks_only *flat);

/* Add the next event. x is its local time plus an approximate offset of its clock (order/rebase.h).
 * line->broken becomes true if the trace violates one of the conditions at the head of this file.
 * Returns CSY_INPUT if blocks contradict each other; the message states no place in the file. O(1),
 * except for flushes. */
csy_status blocks_only_event(struct block_line *line, const struct event *event, int64_t x,
                             csy_error *error);

/* Call this after the last event. Stores the constraints in sync->partial->pairs. If locations
 * create others or wait for their ends, constraints are complete only for a window of 0. */
csy_status blocks_only_finish(struct blocks_only *flat, struct csy_sync *sync, csy_error *error);

/* Find the constraints again, for timestamp errors of up to window/2 ticks and without drift. May
 * read the trace again. */
csy_status blocks_only_again(struct csy_sync *sync, int64_t window, const struct progress *progress,
                             csy_error *error);

csy_status blocks_only_measure(struct csy_sync *sync, const struct progress *progress,
                               csy_error *error);

#endif
