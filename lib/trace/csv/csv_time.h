/* Converts written times to ticks, exactly.
 *
 *   ticks    a whole number
 *   s to ns  a decimal number: value * timebase_hz / (units in a second) must be a whole number
 *   stamps   RFC 3339: 2024-05-01T12:00:00.25Z, in ticks since 1970, UTC */
#ifndef TRACE_CSV_CSV_TIME_H
#define TRACE_CSV_CSV_TIME_H

#include "base/number.h"

/* The unit of a time column. CSV_AUTO: the column's name states no unit, so times are ticks. */
enum csv_unit { CSV_AUTO = 0, CSV_TICKS, CSV_S, CSV_MS, CSV_US, CSV_NS, CSV_STAMPS };

enum {
    CSV_DECIMALS_MAX = 18, /* maximum number of decimals for the fast conversion */
    CSV_DIGITS_MAX = 36    /* maximum number of digits, without zeros at both ends */
};

/* For times with the same number of decimals: ticks = digits * num / den. Unused if den is 0. */
struct csv_factor {
    uint64_t num, den;
};

static inline bool csv_unit_is_ticks(enum csv_unit unit)
{
    return unit == CSV_AUTO || unit == CSV_TICKS;
}

struct csv_scale {
    enum csv_unit unit;
    uint64_t timebase_hz;
    char mark; /* decimal mark that is accepted besides the point, or '.' for none */
    struct csv_factor factors[CSV_DECIMALS_MAX + 1];
};

/* Prepare a scale. `mark` must be ',', or '.' if commas separate columns. */
void csv_scale_init(struct csv_scale *scale, enum csv_unit unit, uint64_t timebase_hz, char mark);

enum csv_fault {
    CSV_GOOD = 0,
    CSV_MALFORMED, /* the text is no number, or no date in a column of dates */
    CSV_UNITLESS,  /* the number has decimals, but ticks are whole numbers */
    CSV_BEYOND,    /* the time needs more than 64 bits */
    CSV_LONG,      /* the number has more than CSV_DIGITS_MAX digits */
    CSV_BROKEN     /* the time is not a whole number of ticks */
};

/* Convert a text to ticks. Surrounding blanks are ignored. After CSV_BROKEN, *least_hz is the least
 * timebase that makes the time a whole number of ticks, or 0 if no 64-bit timebase suffices. */
enum csv_fault csv_time_parse(const struct csv_scale *scale, const char *text, size_t size,
                              int64_t *ticks, uint64_t *least_hz);

/* Set *decimals such that a unit of time is 10^*decimals ticks. Returns false for dates, and if
 * there is no such number. */
bool csv_time_decimals(const struct csv_scale *scale, unsigned *decimals);

/* Returns the resolution, in steps per second, that the decimals of a valid time suggest: 1000000
 * for "0.250000" in seconds. The result is at least the resolution of the unit, and 0 for ticks. */
uint64_t csv_time_steps(const struct csv_scale *scale, const char *text, size_t size);

/* Returns true for a text that begins with a date, such as 2024-05-01. */
bool csv_time_is_stamp(const char *text, size_t size);

/* Returns the part of an error message that explains a fault. The text may be in `buffer`. */
const char *csv_time_fault(const struct csv_scale *scale, enum csv_fault fault, const char *text,
                           size_t length, uint64_t least_hz, char *buffer, size_t size);

/* Returns the end of an error message, which is advice for a malformed text, or "". */
const char *csv_time_remedy(const struct csv_scale *scale, const char *text, size_t size);

/* Returns the word for a unit, such as "ticks" or "s"; NULL for CSV_AUTO and CSV_STAMPS. */
const char *csv_unit_word(enum csv_unit unit);

#endif
