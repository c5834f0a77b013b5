/* Converts written times to ticks, exactly.
 *
 *   ticks    a whole number
 *   s to ns  a decimal number: value * timebase_hz / (units in a second) must be a whole number
 *   stamps   RFC 3339: 2024-05-01T12:00:00.25Z, in ticks since 1970, UTC */
#ifndef TRACE_CSV_CSV_TIME_H
#define TRACE_CSV_CSV_TIME_H

#include "base/number.h"

/* How to read the numbers of a column. CSV_AUTO, for a column without a unit: whole ticks. */
enum csv_unit { CSV_AUTO = 0, CSV_TICKS, CSV_S, CSV_MS, CSV_US, CSV_NS, CSV_STAMPS };

enum {
    CSV_DECIMALS_MAX = 18, /* decimals of numbers on the fast path */
    CSV_DIGITS_MAX = 36    /* digits from the first to the last that is not 0 */
};

/* The ticks of a number with this many decimals are its digits * num / den; den 0: use the exact
 * path. */
struct csv_factor {
    uint64_t num, den;
};

struct csv_scale {
    enum csv_unit unit;
    uint64_t timebase_hz;
    char mark; /* a decimal mark besides the point, or '.' */
    struct csv_factor factors[CSV_DECIMALS_MAX + 1];
};

/* mark: ',' if commas do not separate columns. */
void csv_scale_init(struct csv_scale *scale, enum csv_unit unit, uint64_t timebase_hz, char mark);

enum csv_fault {
    CSV_GOOD = 0,
    CSV_MALFORMED, /* not in the form that the unit requires */
    CSV_UNITLESS,  /* a decimal number where ticks are expected */
    CSV_BEYOND,    /* it exceeds 64 bits */
    CSV_LONG,      /* more than CSV_DIGITS_MAX digits */
    CSV_BROKEN     /* not a whole number of ticks */
};

/* Blanks around the text are ignored. *least_hz, for CSV_BROKEN: the least timebase for which it is
 * a whole number of ticks, or 0 if that exceeds 64 bits. */
enum csv_fault csv_time_parse(const struct csv_scale *scale, const char *text, size_t size,
                              int64_t *ticks, uint64_t *least_hz);

/* True if the unit is 10^decimals ticks. */
bool csv_time_decimals(const struct csv_scale *scale, unsigned *decimals);

/* The steps per second by the number of decimals of a valid time, including zeros at the end:
 * 1000000 for "0.250000" in seconds; at least as many as the unit has. 0 if the unit is ticks. */
uint64_t csv_time_steps(const struct csv_scale *scale, const char *text, size_t size);

/* True if the text begins with a date: 2024-05-01. */
bool csv_time_is_stamp(const char *text, size_t size);

/* The fault of a text of `length` bytes, as a part of a message; uses buffer. */
const char *csv_time_fault(const struct csv_scale *scale, enum csv_fault fault, const char *text,
                           size_t length, uint64_t least_hz, char *buffer, size_t size);

/* The advice for a malformed text, as the end of the message; "" if there is none. */
const char *csv_time_remedy(const struct csv_scale *scale, const char *text, size_t size);

/* "ticks", "s", and so on; NULL for CSV_AUTO and CSV_STAMPS. */
const char *csv_unit_word(enum csv_unit unit);

#endif
