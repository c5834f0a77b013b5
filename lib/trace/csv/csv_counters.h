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
    uint64_t line;        /* number of the line that describes the clock; 0: no line does */
    uint64_t timebase_hz; /* 0: the timebase of the trace */
    unsigned bits;        /* 0: the counter does not wrap */
    int64_t factor;       /* number of ticks of the trace in a tick of the counter */
    int64_t wrap_ticks;   /* ticks of the trace between two wraps; 0: the counter does not wrap */
    uint64_t rows;        /* number of rows so far */
    int64_t last_ticks;
    uint32_t location; /* index in `locations` for the last row */
    uint64_t runs, nlocations;
    uint64_t first_line; /* line where the present run of rows with one location begins */
};

struct csv_counters {
    const char *file; /* name of the file for messages; the caller owns it */
    struct csv_counter *items;
    size_t count, capacity;
    struct texts clocks;    /* names of clocks; a name has the index of its counter in `items` */
    struct texts locations; /* names of all locations */
    struct keys *met;       /* pairs of a clock and a location that occurred in a row */
    bool active;            /* true if some clock wraps, or has its own timebase */
    bool wraps;             /* true if some clock wraps */
    bool scaled;            /* true if timebases differ */
    unsigned bits;          /* bits of counters that no line describes; 0: they do not wrap */
    uint64_t hz;            /* the lowest timebase */
    enum csv_unit unit;
    uint64_t common_hz; /* the least common multiple of all timebases */
    uint64_t own_hz;    /* timebase of the line `timebase_hz` */
    int64_t factor;     /* number of ticks of the trace in a tick of own_hz */
};

/* How the times of a CSV are written. */
struct csv_counting {
    enum csv_unit unit;
    unsigned bits; /* bits of counters that no line describes; 0: they do not wrap */
    uint64_t timebase_hz;
    bool timebase_stated; /* true if a line states the timebase */
};

/* Where a field is, for messages. */
struct csv_spot {
    uint64_t line;
    const char *called;
    const struct csv_field *field;
};

/* The time of a row. `counter` is valid until the next row. */
struct csv_shown {
    struct csv_counter *counter; /* NULL: no clock wraps or has its own timebase */
    int64_t shown_ticks;         /* the counter's reading, in ticks of the trace */
    int64_t time_ticks;          /* the reading plus the wraps so far */
};

void csv_counters_fini(struct csv_counters *counters);

/* Read a comment after its word "clock". *is_clock is false if the comment has no key of clocks. */
csy_status csv_counters_read_line(struct csv_counters *counters, uint64_t line, const char *text,
                                  size_t size, bool *is_clock, csy_error *error);

/* Choose the common timebase of all counters. Call csv_counters_begin after the header was read. */
csy_status csv_counters_begin(struct csv_counters *counters, const struct csv_counting *how,
                              csy_error *error);

/* Convert the time of a row to ticks of the trace, taking account of wraps of its clock. */
csy_status csv_counters_take(struct csv_counters *counters, const char *clock, size_t size,
                             const struct csv_spot *spot, struct csv_shown *shown, int64_t *ticks,
                             csy_error *error);

/* Convert the begin in a row to ticks. A begin is less than 3/4 of a wrap before the row's time. */
csy_status csv_counters_begin_of(const struct csv_counters *counters, const struct csv_shown *shown,
                                 const struct csv_spot *spot, int64_t *ticks, csy_error *error);

/* Convert a timestamp of the row's clock to ticks since the time of the row. */
csy_status csv_counters_since(const struct csv_counters *counters, const struct csv_shown *shown,
                              const struct csv_spot *spot, int64_t *ticks, csy_error *error);

/* Convert a reading of another clock to ticks. A counter that wraps is an error, because its wraps
 * before the reading are unknown. */
csy_status csv_counters_other(const struct csv_counters *counters, const char *clock, size_t size,
                              const struct csv_spot *spot, int64_t *ticks, csy_error *error);

/* Convert a duration to ticks. If `shown` is NULL, the duration belongs to no clock, such as a
 * latency; otherwise to the row's clock. */
csy_status csv_counters_length(const struct csv_counters *counters, const struct csv_shown *shown,
                               const struct csv_spot *spot, int64_t *ticks, csy_error *error);

/* Note the location of a row in partial order. */
csy_status csv_counters_note(struct csv_counters *counters, const struct csv_shown *shown,
                             uint64_t line, const char *location, size_t size, csy_error *error);

/* Check the rows after the last one. Each described clock must have rows, unless the file is cut
 * off. Rows of a clock that wraps must not be sorted by location. */
csy_status csv_counters_finish(const struct csv_counters *counters, bool cut, csy_error *error);

/* Returns how many ticks of the trace a time unit has, for a clock that no line describes. Returns
 * 0 for dates, and if the number is not whole. */
int64_t csv_counters_unit(const struct csv_counters *counters);

#endif
