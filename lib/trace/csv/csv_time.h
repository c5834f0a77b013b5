/*
 * Times as people write them -> ticks, exactly.
 *
 *   ticks      a whole number
 *   s to ns    a decimal number: value * timebase_hz / units a second must be a whole number
 *   stamps     RFC 3339: 2024-05-01T12:00:00.25Z, ticks since 1970 in UTC
 */
#ifndef TRACE_CSV_CSV_TIME_H
#define TRACE_CSV_CSV_TIME_H

#include "base/number.h"

/* How a column's numbers are to be read.  CSV_AUTO, of a column without a unit: whole ticks. */
enum csv_unit { CSV_AUTO = 0, CSV_TICKS, CSV_S, CSV_MS, CSV_US, CSV_NS, CSV_STAMPS };

enum {
    CSV_DECIMALS_MAX = 18, /* of numbers that are read fast */
    CSV_DIGITS_MAX = 36    /* from the first to the last that is not 0 */
};

/* Ticks of a number of so many decimals are its digits * num / den; den 0: look closely. */
struct csv_factor {
    uint64_t num, den;
};

struct csv_scale {
    enum csv_unit unit;
    uint64_t timebase_hz;
    char mark; /* decimal mark besides the point, or '.' */
    struct csv_factor factors[CSV_DECIMALS_MAX + 1];
};

/* mark: ',' where a comma does not separate columns. */
void csv_scale_init(struct csv_scale *scale, enum csv_unit unit, uint64_t timebase_hz, char mark);

enum csv_fault {
    CSV_GOOD = 0,
    CSV_MALFORMED, /* it is not what the unit wants */
    CSV_UNITLESS,  /* a decimal number where ticks are expected */
    CSV_BEYOND,    /* 64 bits do not hold it */
    CSV_LONG,      /* more than CSV_DIGITS_MAX digits */
    CSV_BROKEN     /* no whole tick */
};

/* Blanks around the text do not matter.  *least_hz, under CSV_BROKEN: the least timebase at which
 * it is a whole tick, 0 if that is beyond 64 bits. */
enum csv_fault csv_time_parse(const struct csv_scale *scale, const char *text, size_t size,
                              int64_t *ticks, uint64_t *least_hz);

/* Whether the unit is 10^decimals ticks. */
bool csv_time_decimals(const struct csv_scale *scale, unsigned *decimals);

/* How many steps a second has by the decimals of a good time, zeros at its end included: 1000000 of
 * "0.250000" in seconds; at least as many as units.  0 if the unit is ticks. */
uint64_t csv_time_steps(const struct csv_scale *scale, const char *text, size_t size);

/* Whether the text begins like a stamp: 2024-05-01. */
bool csv_time_is_stamp(const char *text, size_t size);

/* What is wrong with a text of so many bytes, for a message that goes on after it; writes to
 * buffer. */
const char *csv_time_fault(const struct csv_scale *scale, enum csv_fault fault, const char *text,
                           size_t length, uint64_t least_hz, char *buffer, size_t size);

/* What helps where a text was found malformed, for the end of that message; "" where that is not
 * known. */
const char *csv_time_remedy(const struct csv_scale *scale, const char *text, size_t size);

/* "ticks", "s" and so on; NULL of CSV_AUTO and CSV_STAMPS. */
const char *csv_unit_word(enum csv_unit unit);

#endif
