/*
 * Plain rows, many at a time: the loop of the quick way for a CSV (fast/rows.c).
 *
 * Rows are looked up in a table of the writings that threads have had so far: name and core as they
 * stand in the file.  The table is only read here, so that several workers may take rows side by
 * side.
 */
#ifndef FAST_PLAIN_ROWS_H
#define FAST_PLAIN_ROWS_H

#include "fast/kind.h"

struct writings;

/* NULL on no memory. */
struct writings *writings_new(void);
void writings_free(struct writings *writings);

/* Rows written like this one are of its thread, which has an x by now.  Forgotten where there are
 * too many, or where there is no memory. */
void writings_add(struct writings *writings, const struct fast *fast, const struct event *event);

/* Threads have seats in the order in which they came; returns how many. */
enum { ROWS_SEATS = 512 };
size_t writings_seats(const struct writings *writings, const uint32_t **threads);

/* What the rows of a thread in a run came to. */
struct tally {
    uint64_t records, last; /* last: index of its last row in the run, from 1 */
    int64_t last_ticks, min_ticks, max_ticks;
};

/* Of each seat: nothing. */
void plain_rows_begin(struct tally *tally, const struct writings *writings);

/* Where the loop is. */
struct rows_at {
    const uint8_t *at;    /* moves past the rows that are taken */
    const uint8_t *limit; /* rows that begin before are wanted, */
    const uint8_t *end;   /* those that end before can be taken, */
    uint64_t most;        /* and no more than so many in a run */
};

/* Why it went no further. */
enum rows_end {
    ROWS_LIMIT, /* the next row begins at the limit or beyond */
    ROWS_VIEW,  /* it does not end well before the end of the view */
    ROWS_ODD    /* it is not plain, is new, or steps back; or there are enough */
};

/* Take plain rows.  A run apart has its first row where ends.last is SWEEP_NONE. */
enum rows_end plain_rows_take(const struct writings *writings, const struct csv_reader *reader,
                              struct rows_at *at, struct tally *tally, struct run *run);

#endif
