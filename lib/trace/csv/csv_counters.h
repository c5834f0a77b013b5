/* The counters of clocks in a CSV: their rates, and when they start again from 0.
 *
 *   # clock NAME timebase_hz=19200000 wrap_bits=24
 *
 * The timebase of the trace is the least common multiple of all timebases, so each counter is
 * scaled exactly, by a whole factor. A counter of N bits shows its time modulo 2^N. Each row
 * continues the previous row of the same clock in the file: its time is at most 1/4 of a wrap
 * before and less than 3/4 of a wrap after the previous time. See cellsync-csv(5), CSV traces. */
#ifndef TRACE_CSV_CSV_COUNTERS_H
#define TRACE_CSV_CSV_COUNTERS_H

#include "base/number.h"
#include "base/texts.h"
#include "trace/csv/csv_header.h"

struct keys; /* base/keys.h */

/* The counter of a clock. */
struct csv_counter {
    uint64_t line;        /* number of the line that describes the clock, or 0 */
    uint64_t timebase_hz; /* 0: the timebase of the trace */
    unsigned bits;        /* 0: the counter does not wrap */
    int64_t factor;       /* ticks of the trace per tick of the counter */
    int64_t wrap_ticks; /* ticks of the trace from 0 to the next 0; 0: the counter does not wrap */
    uint64_t rows;      /* number of rows so far */
    int64_t last_ticks;
    uint32_t location; /* number of the last row's location */
    uint64_t runs, nlocations;
    uint64_t first_line; /* first line of the current run of rows with one location */
};

struct csv_counters {
    const char *file; /* for messages; belongs to the caller */
    struct csv_counter *items;
    size_t count, capacity;
    struct texts clocks;    /* names of clocks, with the indexes of `items` */
    struct texts locations; /* names of locations */
    struct keys *met;       /* pairs of a clock and a location that occurred in a row */
    bool active;            /* some clock is scaled or wraps */
    bool wraps;             /* some clock wraps */
    bool scaled;            /* timebases differ */
    unsigned bits;          /* bits of clocks without a line of their own; 0: they do not wrap */
    uint64_t hz;            /* the least timebase */
    enum csv_unit unit;
    uint64_t common_hz; /* the least common multiple of all timebases */
    uint64_t own_hz;    /* timebase of the line `timebase_hz` */
    int64_t factor;     /* ticks of the trace in a tick of own_hz */
};

/* How the times of a CSV are written. */
struct csv_counting {
    enum csv_unit unit;
    unsigned bits; /* bits of clocks without a line of their own; 0: they do not wrap */
    uint64_t timebase_hz;
    bool timebase_stated; /* a line states the timebase */
};

/* A field, for messages. */
struct csv_spot {
    uint64_t line;
    const char *called;
    const struct csv_field *field;
};

/* The time of a row. `counter` is valid until the next row. */
struct csv_shown {
    struct csv_counter *counter; /* NULL: no clock is scaled or wraps */
    int64_t shown_ticks;         /* scaled reading of the counter */
    int64_t time_ticks;          /* the reading, continued after wraps */
};

void csv_counters_fini(struct csv_counters *counters);

/* Read a comment line after the word "clock". *is_clock is false if it has no key of clocks. */
csy_status csv_counters_read_line(struct csv_counters *counters, uint64_t line, const char *text,
                                  size_t size, bool *is_clock, csy_error *error);

/* Choose the common timebase. Call this after the header was read. */
csy_status csv_counters_begin(struct csv_counters *counters, const struct csv_counting *how,
                              csy_error *error);

/* Scale the time of a row, and continue it after wraps of the clock. */
csy_status csv_counters_take(struct csv_counters *counters, const char *clock, size_t size,
                             const struct csv_spot *spot, struct csv_shown *shown, int64_t *ticks,
                             csy_error *error);

/* Convert the begin in a row to ticks. It is less than 3/4 of a wrap before the time of the row. */
csy_status csv_counters_begin_of(const struct csv_counters *counters, const struct csv_shown *shown,
                                 const struct csv_spot *spot, int64_t *ticks, csy_error *error);

/* Convert a timestamp of the row's clock to ticks since the row. */
csy_status csv_counters_since(const struct csv_counters *counters, const struct csv_shown *shown,
                              const struct csv_spot *spot, int64_t *ticks, csy_error *error);

/* Scale a reading of another clock. Its counter must not wrap, because wraps were not counted. */
csy_status csv_counters_other(const struct csv_counters *counters, const char *clock, size_t size,
                              const struct csv_spot *spot, int64_t *ticks, csy_error *error);

/* Scale a duration of the row's clock, or, if `shown` is NULL, one that belongs to no clock, such
 * as a latency. */
csy_status csv_counters_length(const struct csv_counters *counters, const struct csv_shown *shown,
                               const struct csv_spot *spot, int64_t *ticks, csy_error *error);

/* Note the location of a row in partial order. */
csy_status csv_counters_note(struct csv_counters *counters, const struct csv_shown *shown,
                             uint64_t line, const char *location, size_t size, csy_error *error);

/* Check after the last row: each described clock must have rows, unless the file is cut off, and
 * rows of a clock that wraps must not be sorted by location. */
csy_status csv_counters_finish(const struct csv_counters *counters, bool cut, csy_error *error);

/* Returns the ticks of the trace in a unit of a clock without a line of its own, or 0 if times are
 * dates or this is no whole number. */
int64_t csv_counters_unit(const struct csv_counters *counters);

#endif
