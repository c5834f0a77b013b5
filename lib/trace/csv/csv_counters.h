/*
 * Counters that clocks of a CSV show: how fast they count, and when they start again from 0.
 *
 *   # clock NAME timebase_hz=19200000 wrap_bits=24
 *
 * Ticks of the trace are those of the least common multiple of all timebases, so that each counter
 * is scaled exactly, by a whole factor. A counter of N bits shows its time modulo 2^N. Each row
 * continues the one before it of the same clock in the file: its time is the one that is less than
 * 3/4 of a wrap later, and at most 1/4 earlier. See pex(5), CSV traces.
 */
#ifndef TRACE_CSV_CSV_COUNTERS_H
#define TRACE_CSV_CSV_COUNTERS_H

#include "base/number.h"
#include "base/texts.h"
#include "trace/csv/csv_header.h"

struct csv_met;

/* The counter of a clock. */
struct csv_counter {
    uint64_t line;        /* that describes it; 0: none does */
    uint64_t timebase_hz; /* 0: that of the trace */
    unsigned bits;        /* 0: it does not wrap */
    int64_t factor;       /* ticks of the trace for one of the counter */
    int64_t wrap_ticks;   /* ticks of the trace until it starts again; 0: it does not wrap */
    uint64_t rows;        /* so far; the last one was at: */
    int64_t last_ticks;
    uint32_t location; /* of the last row, by number */
    uint64_t runs, nlocations;
    uint64_t first_line; /* of the last run of rows of one location */
};

struct csv_counters {
    const char *file; /* for messages; belongs to the caller */
    struct csv_counter *items;
    size_t count, capacity;
    struct texts clocks;    /* names, numbered as the items */
    struct texts locations; /* names; and which clocks they had: */
    struct csv_met *met;
    bool active;   /* some clock is scaled or wraps */
    bool wraps;    /* some clock does */
    bool scaled;   /* timebases differ */
    unsigned bits; /* of clocks that no line describes; 0: they do not wrap */
    uint64_t hz;   /* the least timebase */
    enum csv_unit unit;
    uint64_t common_hz; /* the least common multiple of all timebases */
    uint64_t own_hz;    /* that of the trace, as its line states it, */
    int64_t factor;     /* and ticks for one of it */
};

/* How the times of a CSV are written. */
struct csv_counting {
    enum csv_unit unit;
    unsigned bits; /* of clocks that no line describes; 0: they do not wrap */
    uint64_t timebase_hz;
    bool timebase_stated; /* by a line, not assumed */
};

/* A field, for messages. */
struct csv_spot {
    uint64_t line;
    const char *called;
    const struct csv_field *field;
};

/* The time of a row. The counter holds until the next row. */
struct csv_shown {
    struct csv_counter *counter; /* NULL: no clock is scaled or wraps */
    int64_t shown_ticks;         /* as the counter shows it, scaled */
    int64_t time_ticks;          /* continued */
};

void csv_counters_fini(struct csv_counters *counters);

/* A comment line after "# clock": *is_clock is false if it has none of the keys. */
csy_status csv_counters_read_line(struct csv_counters *counters, uint64_t line, const char *text,
                                  size_t size, bool *is_clock, csy_error *error);

/* Choose the common timebase, once the header is read. */
csy_status csv_counters_begin(struct csv_counters *counters, const struct csv_counting *how,
                              csy_error *error);

/* Scale and continue the time of a row of a clock. */
csy_status csv_counters_take(struct csv_counters *counters, const char *clock, size_t size,
                             const struct csv_spot *spot, struct csv_shown *shown, int64_t *ticks,
                             csy_error *error);

/* A begin as the row shows it becomes the time from which the interval lasted. */
csy_status csv_counters_begin_of(const struct csv_counters *counters, const struct csv_shown *shown,
                                 const struct csv_spot *spot, int64_t *ticks, csy_error *error);

/* Scale a duration of the row's clock. */
csy_status csv_counters_duration(const struct csv_counters *counters, const struct csv_shown *shown,
                                 const struct csv_spot *spot, int64_t *ticks, csy_error *error);

/* A timestamp of the row's clock becomes the time from the row to it. */
csy_status csv_counters_since(const struct csv_counters *counters, const struct csv_shown *shown,
                              const struct csv_spot *spot, int64_t *ticks, csy_error *error);

/* Scale a reading of another clock. Its counter must not wrap, since nothing tells how often it did
 * before. */
csy_status csv_counters_other(const struct csv_counters *counters, const char *clock, size_t size,
                              const struct csv_spot *spot, int64_t *ticks, csy_error *error);

/* Scale a length of time that is no clock's, such as a latency. */
csy_status csv_counters_length(const struct csv_counters *counters, const struct csv_spot *spot,
                               int64_t *ticks, csy_error *error);

/* Note the location of a row in partial order. */
csy_status csv_counters_note(struct csv_counters *counters, const struct csv_shown *shown,
                             uint64_t line, const char *location, size_t size, csy_error *error);

/* After the last row: each line must describe a clock that has rows, unless the file is cut off,
 * and the rows of a clock that wraps must not be sorted by location. */
csy_status csv_counters_finish(const struct csv_counters *counters, bool cut, csy_error *error);

/* Ticks of the trace for one of the numbers that a clock without a counter shows; 0: times are
 * dates, or that is no whole number. */
int64_t csv_counters_unit(const struct csv_counters *counters);

#endif
