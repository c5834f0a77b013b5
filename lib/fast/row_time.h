/* Times of plain rows. */
#ifndef FAST_ROW_TIME_H
#define FAST_ROW_TIME_H

#include "fast/csv_plain.h"
#include "trace/csv/csv_time.h"

/* Read a decimal number of up to 18 digits in the unit of the scale. Returns false otherwise. */
static inline bool row_decimal(const struct csv_scale *scale, const uint8_t *p, size_t size,
                               int64_t *ticks)
{
    static const int64_t powers[] = {1,      10,      100,      1000,      10000,
                                     100000, 1000000, 10000000, 100000000, 1000000000};
    const uint8_t *point = memchr(p, '.', size);
    size_t whole = point ? (size_t)(point - p) : size, decimals = point ? size - whole - 1 : 0;
    int64_t fraction = 0;
    if (whole == 0 || decimals > 9 || whole + decimals > CSV_DECIMALS_MAX ||
        !csv_plain_number(p, whole, ticks) ||
        (decimals > 0 && !csv_plain_number(point + 1, decimals, &fraction)))
        return false;
    const struct csv_factor *factor = &scale->factors[decimals];
    int64_t digits = *ticks * powers[decimals] + fraction;
    if (factor->den != 1 || factor->num > INT64_MAX)
        return false;
    return !__builtin_mul_overflow(digits, (int64_t)factor->num, ticks);
}

/* Read a time other than a whole number of ticks. */
static inline bool row_other_time(const struct csv_scale *scale, const uint8_t *p, size_t size,
                                  int64_t *ticks)
{
    uint64_t least_hz;
    if (scale->unit <= CSV_TICKS && size > 1 && *p == '-' &&
        csv_plain_number(p + 1, size - 1, ticks)) {
        *ticks = -*ticks;
        return true;
    }
    return (scale->unit > CSV_TICKS && row_decimal(scale, p, size, ticks)) ||
           csv_time_parse(scale, (const char *)p, size, ticks, &least_hz) == CSV_GOOD;
}

/* Read a time as the CSV reader does. Returns false if the ordinary path must decide. */
static inline __attribute__((always_inline)) bool
row_time(const struct csv_scale *scale, const uint8_t *p, size_t size, int64_t *ticks)
{
    if (__builtin_expect(scale->unit <= CSV_TICKS, 1) && csv_plain_number(p, size, ticks))
        return true;
    return row_other_time(scale, p, size, ticks);
}

#endif
