/*
 * Blocks and nothing else, as they come: which flush has which place in its buffer.
 *
 * Where all that a trace says of its order is blocks, or records in buffers, and each location has
 * one clock, writes to one buffer in one way, and is not stamped backwards, and no block is
 * interrupted by what is written to its buffer, flushes can be told while the trace is read, in
 * memory that goes with the locations.  Spawns and joins of locations may be said, too, but what
 * is known before them goes no further: order/match.h gets of each location the first record and
 * the last one, and all that spawn or join.
 */
#ifndef ORDER_BLOCK_LINE_H
#define ORDER_BLOCK_LINE_H

#include "clock/points.h"
#include "order/block_names.h"
#include "order/match.h"

/* What a record has to do with flushes. */
enum line_record {
    LINE_RECORD_PLAIN,
    LINE_RECORD_PLACED, /* it is in no block, and its place in the buffer is its own */
    LINE_RECORD_BEGINS, /* it is the first of a block */
    LINE_RECORD_FLUSHED /* it is the flush of a block, which has just been told; chained if records
                           of its location are known to come after it */
};

/* What blocks come to.  x: of the end of the record, or of the last record of the block; a flush
 * has a stamp, between lo and hi, or lo is x. */
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
    struct match *match;  /* numbers locations and buffers */
    struct points *lives; /* its points; NULL: it has had all that spawn or join, and is finished */
    struct line_location *states; /* by location */
    size_t nstates, states_capacity;
    uint32_t *filled; /* by buffer the location whose block is filled there, or NO_LOCATION */
    size_t nfilled, filled_capacity;
    uint64_t blocks, stamped;
    uint32_t
        going_on; /* the location of the last record, where its block is open; or NO_LOCATION */
    bool broken;  /* the trace is another one: nothing more is told */
};

void block_line_fini(struct block_line *line);

/* The next event, which has a thread.  At first sink, match and lives are set, and the rest is 0.
 * CSY_INPUT, without the place, where blocks cannot be so.  O(1) and what the sink takes. */
csy_status block_line_event(struct block_line *line, const struct event *event, int64_t x,
                            csy_error *error);

/* Whether records may go on with the block of the last one.  Where no record is asked for by itself
 * they may be left out: the last of them is at x. */
static inline bool block_line_goes_on(const struct block_line *line)
{
    return !line->broken && line->going_on != NO_LOCATION;
}
void block_line_skip(struct block_line *line, int64_t x, uint64_t position, uint64_t place);

/* All events have come. */
csy_status block_line_finish(struct block_line *line, csy_error *error);

#endif
