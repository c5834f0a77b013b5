/* The counters of clocks in a CSV. A counter may have its own rate, and may have few bits:
 *
 *   # clock NAME timebase_hz=19200000 wrap_bits=24
 *
 * The timebase of the trace is the least common multiple of all timebases, so a tick of a counter
 * is a whole number of ticks of the trace. A counter of N bits shows its time modulo 2^N. A wrap is
 * 2^N ticks. The lost high bits follow from the previous row of the same clock in the file: a row
 * is at most 1/4 of a wrap earlier, and less than 3/4 of a wrap later. See cellsync-csv(5), CSV
 * traces. */
#ifndef TRACE_CSV_CSV_COUNTERS_H
#define TRACE_CSV_CSV_COUNTERS_H

#include "base/number.h"
#include "base/texts.h"
#include "trace/csv/csv_header.h"

struct keys; /* defined in base/keys.h */

struct csv_counter {
    uint64_t line;        /* number of the line that describes the clock, or 0 if there is none */
    uint64_t timebase_hz; /* ticks per second; 0 means the timebase of the trace */
    unsigned bits;        /* number of bits; 0 if the counter does not wrap */
    int64_t factor;       /* number of ticks of the trace in a tick of the counter */
    int64_t wrap_ticks;   /* ticks of the trace in a wrap, or 0 if the counter does not wrap */
    uint64_t rows;        /* number of rows of this clock so far */
    int64_t last_ticks;
    uint32_t location; /* location of the last row, as an index in csv_counters.locations */
    uint64_t runs, nlocations;
    uint64_t first_line; /* first line of the latest rows that have the same location */
};

struct csv_counters {
    const char *file; /* name of the file for messages; the caller owns it */
    struct csv_counter *items;
    size_t count, capacity;
    struct texts clocks;    /* names of clocks, with the same indexes as `items` */
    struct texts locations; /* names of all locations */
    struct keys *met;       /* pairs of a clock and a location that occur together in a row */
    bool active;            /* true if some clock wraps, or has its own timebase */
    bool wraps;             /* true if some clock wraps */
    bool scaled;            /* true if clocks have different timebases */
    unsigned bits;          /* number of bits of counters that no line describes; 0: no wrap */
    uint64_t hz;            /* the lowest timebase */
    enum csv_unit unit;
    uint64_t common_hz; /* the least common multiple of all timebases */
    uint64_t own_hz;    /* timebase in the comment timebase_hz */
    int64_t factor;     /* number of ticks of the trace in a tick of own_hz */
};

struct csv_counting {
    enum csv_unit unit;
    unsigned bits; /* number of bits of counters that no line describes; 0 if they do not wrap */
    uint64_t timebase_hz;
    bool timebase_stated; /* true if a comment states the timebase */
};

/* The time of a row. `counter` is valid until the next row. */
struct csv_shown {
    struct csv_counter *counter; /* counter of the row's clock, or NULL unless counters.active */
    int64_t shown_ticks;         /* reading of the counter, in ticks of the trace */
    int64_t time_ticks;          /* reading of the counter plus the ticks of all its wraps so far */
};

void csv_counters_fini(struct csv_counters *counters);

/* Read a comment after its word "clock". *is_clock is false without timebase_hz and wrap_bits. */
csy_status csv_counters_read_line(struct csv_counters *counters, uint64_t line, const char *text,
                                  size_t size, bool *is_clock, csy_error *error);

csy_status csv_counters_begin(struct csv_counters *counters, const struct csv_counting *how,
                              csy_error *error);

/* Convert the time of a row to ticks of the trace. Each wrap of the counter so far is added. */
csy_status csv_counters_take(struct csv_counters *counters, const char *clock, size_t size,
                             const struct csv_spot *spot, struct csv_shown *shown, int64_t *ticks,
                             csy_error *error);

/* Convert the begin in a row to ticks. It must be less than 3/4 of a wrap before the row's time. */
csy_status csv_counters_begin_of(const struct csv_counters *counters, const struct csv_shown *shown,
                                 const struct csv_spot *spot, int64_t *ticks, csy_error *error);

/* Convert a timestamp of the row's clock to ticks since the time of the row. */
csy_status csv_counters_since(const struct csv_counters *counters, const struct csv_shown *shown,
                              const struct csv_spot *spot, int64_t *ticks, csy_error *error);

/* Convert a reading of another clock to ticks. A counter that wraps is an error, because its wraps
 * before the reading are unknown. */
csy_status csv_counters_other(const struct csv_counters *counters, const char *clock, size_t size,
                              const struct csv_spot *spot, int64_t *ticks, csy_error *error);

/* Convert a duration by the row's clock to ticks. `shown` is NULL for a latency. */
csy_status csv_counters_length(const struct csv_counters *counters, const struct csv_shown *shown,
                               const struct csv_spot *spot, int64_t *ticks, csy_error *error);

/* Note the location of a row in partial order, for csv_counters_finish. */
csy_status csv_counters_note(struct csv_counters *counters, const struct csv_shown *shown,
                             uint64_t line, const char *location, size_t size, csy_error *error);

/* Check the file after its last row. Each described clock must have rows, unless the file is cut
 * off. If a clock wraps, its rows must not be sorted by location. */
csy_status csv_counters_finish(const struct csv_counters *counters, bool cut, csy_error *error);

/* Returns the ticks in the unit of time, for a clock that no line describes. Returns 0 for dates,
 * and if the number is not whole. */
int64_t csv_counters_unit(const struct csv_counters *counters);

#endif
