/*
 * What a run of plain rows comes to for the sweep: the least edge between each pair of neighbours,
 * and a tally of each thread.
 *
 * Rows are looked up in a table of the writings that threads have had so far: name and core as they
 * stand in the file.  The table is only read here, so that many runs may be digested at once; edges
 * between neighbours are minima, so that it does not matter where a run is cut.
 */
#ifndef FAST_PLAIN_ROWS_H
#define FAST_PLAIN_ROWS_H

#include "clock/timeline.h"
#include "graph/sweep.h"
#include "order/rebase.h"

struct writings;

/* NULL on no memory. */
struct writings *writings_new(void);
void writings_free(struct writings *writings);

/* Rows written like this one are of that slot, and x = time + rebase_ticks.  Forgotten where there
 * are too many, or where there is no memory. */
void writings_add(struct writings *writings, const struct csv_row *row, uint32_t slot,
                  int128 rebase_ticks);

/* Of one slot. */
struct tally {
    uint64_t records, last; /* last: index of its last row in the run, from 1 */
    int64_t last_ticks, min_ticks, max_ticks;
};

/* A run of rows.  Begun behind an event, or with previous = SWEEP_NONE. */
struct digest {
    uint64_t rows;
    int64_t *d; /* as in the sweep; d[a * stride + b] of neighbours a, b is lowered */
    size_t stride;
    struct tally *tally; /* by slot; `stride` of them */
    uint32_t previous;   /* slot and x of the last row */
    int64_t previous_x;
    uint32_t first; /* of the first row, where nothing came before */
    int64_t first_x;
    struct disorder disorder;
};

/* Why a digest went no further. */
enum digest_end {
    DIGEST_LIMIT, /* the next row begins at the limit or beyond */
    DIGEST_VIEW,  /* it does not end well before the end of the view */
    DIGEST_ODD    /* it is not plain, is new, or steps back */
};

/* Forget all rows; d is left alone. */
void digest_reset(struct digest *digest);

/* Take plain rows that begin in *at..limit and end before `end`; *at moves behind them. */
enum digest_end digest_rows(struct digest *digest, const struct writings *writings,
                            const struct csv_reader *reader, const uint8_t **at,
                            const uint8_t *limit, const uint8_t *end);

#endif
