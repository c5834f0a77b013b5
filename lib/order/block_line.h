/* Finds the place of each flush in its buffer while a trace is read in which only blocks order
 * records.
 *
 * This works under the following conditions: the trace states no order except blocks, or records in
 * buffers; each location has one clock, uses one buffer in one way, and has no timestamps that step
 * back; and no block is interrupted by other records of its buffer. Memory grows with the number of
 * locations.
 *
 * Locations may also be spawned and joined, but records that precede a spawn are not passed on:
 * order/match.h receives only the first and the last record of each location, and the records that
 * spawn or join. */
#ifndef ORDER_BLOCK_LINE_H
#define ORDER_BLOCK_LINE_H

#include "clock/points.h"
#include "order/block_names.h"
#include "order/match.h"

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

void block_line_fini(struct block_line *line);

/* Add the next event, which has a thread. Before the first event, sink, match, and lives are set
 * and the rest is 0. CSY_INPUT, without the place, if blocks are contradictory. O(1), plus the time
 * of the sink. */
csy_status block_line_event(struct block_line *line, const struct event *event, int64_t x,
                            csy_error *error);

/* Call after the last event. */
csy_status block_line_finish(struct block_line *line, csy_error *error);

#endif
