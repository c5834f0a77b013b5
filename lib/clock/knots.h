/* The global time of a clock whose rate changes. It is linear between knots, which are readings of
 * the clock. Before the first and after the last knot, the rate is constant.
 *
 *   global time = local time + age / AGE_UNIT     age: an integer, in 10^-9 ticks
 *
 * Between two knots the age is rounded down. The global time of a record is rounded down again. */
#ifndef CLOCK_KNOTS_H
#define CLOCK_KNOTS_H

#include "base/number.h"

#define AGE_UNIT 1000000000

/* A knot. n ticks later, before the next knot, the age is age + rate n + floor(rest n / length). */
struct knot {
    int64_t local_ticks;
    int128 age;
    int64_t rate, rest, length; /* 0 <= rest < length */
};

struct knots {
    struct knot *items; /* sorted by local time; at least one */
    size_t count;
    int64_t rate; /* before the first and after the last knot */
};

/* Make knots from n > 0 readings, sorted by local time, except readings on straight lines. */
csy_status knots_make(const int64_t *local_ticks, const int128 *ages, size_t n, int64_t rate,
                      struct knots *out, csy_error *error);
void knots_fini(struct knots *knots);

/* Returns the age of the clock at a local time. O(log knots). */
int128 knots_age(const struct knots *knots, int64_t local_ticks);

static inline int128 knots_global(const struct knots *knots, int64_t local_ticks)
{
    return local_ticks + floor_div(knots_age(knots, local_ticks), AGE_UNIT);
}

/* Returns value * num / den, rounded down; 0 <= num <= den < 2^63, |value| < 2^125. */
int128 knots_part(int128 value, int64_t num, int64_t den);

/* Returns the least distance, in ticks, at which two readings of a clock show which one came first.
 * Each reading has an error of up to half of `ticks`, and the rate an error of up to rate_ppb. */
static inline int64_t knots_window(int64_t ticks, int64_t rate_ppb)
{
    int128 window = ceil_div((int128)ticks * (AGE_UNIT + rate_ppb), (int128)AGE_UNIT - rate_ppb);
    return window < INT64_MAX ? (int64_t)window : INT64_MAX;
}

#endif
