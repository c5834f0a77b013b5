/*
 * Blocks of records, which a buffer was given as wholes -> flushes among points.
 *
 * The buffer knows the order of flushes, and of no records.  The flush of a block comes after the
 * last record of the block, and where it was stamped it was at its stamp, or between its two.
 * Else it comes, as the trace says (trace/event.h), before the first record of the next block of
 * the same location in the same buffer, before the last one of that, or before nothing known.
 * Beyond that records have the order of their location.  cellsync-model(7), Partial orders.
 *
 * A flush has its place in the chain of the buffer where the last record of its block is in the
 * file, or what is the flush itself.
 */
#ifndef ORDER_BLOCKS_H
#define ORDER_BLOCKS_H

#include "clock/points.h"
#include "order/block_names.h"

#define NO_BLOCK UINT32_MAX

struct block {
    uint64_t position, place;  /* of its last record, or of its flush itself */
    uint32_t location, buffer; /* whose it is */
    uint32_t next;             /* of these, or NO_BLOCK */
    uint32_t first, last;      /* points of records; NO_POINT where it has none */
    uint32_t itself;           /* of the record that is its flush, or NO_POINT */
    uint32_t clock;            /* of its last record, or of its flush */
    int64_t last_x;            /* of its last record */
    int64_t lo, hi;            /* of a flush with stamps, in x */
    bool stamped;
};

struct blocks {
    struct points *points;
    enum block_after after;
    struct block *items;
    size_t count, capacity;
    struct block_names names;
    uint32_t *last; /* by writer of names its last block, or NO_BLOCK */
    size_t nlast, last_capacity;
    uint32_t *run; /* by location the block of its last record, or NO_BLOCK */
    size_t nrun, run_capacity;
    uint64_t stamped;
};

void blocks_fini(struct blocks *blocks);

/* A record is about to be one of points, of which it says what is known: *block is where it
 * belongs, or NO_BLOCK, and what it does to the chains of points changes in *record.  CSY_INPUT,
 * without the place, where blocks cannot be so.  O(1). */
csy_status blocks_enter(struct blocks *blocks, const struct event *event,
                        struct point_record *record, uint32_t *block, csy_error *error);

/* It has become one, with this end, which may be NO_POINT; number: its block. */
csy_status blocks_note(struct blocks *blocks, const struct event *event,
                       const struct point_record *record, uint32_t number, uint32_t end,
                       csy_error *error);

/* All records have come: the flushes go to points, and edges to and from them.  O(blocks log
 * blocks). */
csy_status blocks_finish(struct blocks *blocks, csy_error *error);

#endif
