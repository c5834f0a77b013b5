/* The global time of a clock with a changing rate. It is linear between knots, which are readings
 * of the clock. Before the first and after the last knot, the rate is constant.
 *
 *   global time = local time + age / AGE_UNIT     age: an integer, in 10^-9 ticks
 *
 * Between two knots the age is rounded down. The global time of a record is rounded down again. */
#ifndef CLOCK_KNOTS_H
#define CLOCK_KNOTS_H

#include "base/number.h"

#define AGE_UNIT 1000000000

/* A moment when the rate of a clock may change. `age` is global time minus local time, in
 * 1/AGE_UNIT ticks. Packed into 24 bytes, because there can be very many. */
struct knot {
    int64_t local_ticks;
    int128 age __attribute__((packed, aligned(8)));
};

_Static_assert(sizeof(struct knot) == 24, "no gap before the age");

struct knots {
    struct knot *items; /* sorted by local time; at least one */
    size_t count;
    int64_t rate; /* how much the age grows per tick of local time, before the first knot and after
                   * the last one */
};

/* Make *out from n > 0 readings of a clock, sorted by local time. A reading that is on the straight
 * line between its neighbours is left out. *out takes over `items`, which must come from malloc. */
void knots_make(struct knot *items, size_t n, int64_t rate, struct knots *out);
void knots_fini(struct knots *knots);

/* The age of a clock (global time minus local time) as a straight line, for local times from `from`
 * to `to` - 1. At n ticks after the knot, the age is knot.age + rate n + floor(rest n / length). */
struct knots_line {
    struct knot knot;
    int64_t rate, rest, length; /* 0 <= rest < length */
    int64_t from, to;           /* INT64_MIN before the first knot; INT64_MAX after the last knot */
    int128 ticks;               /* whole ticks of knot.age, rounded down */
    int64_t part; /* the rest of knot.age, which is below one tick, in units of 1/AGE_UNIT
                       * tick */
};

/* Find the straight line for a local time. O(log knots). */
struct knots_line knots_line(const struct knots *knots, int64_t local_ticks);

/* Returns the age at a local time in whole ticks, rounded down. Avoids slow 128-bit division. */
static inline int128 knots_line_ticks(const struct knots_line *line, int64_t local_ticks)
{
    int64_t by, rest, along, age;
    if (__builtin_sub_overflow(local_ticks, line->knot.local_ticks, &by) ||
        __builtin_mul_overflow(by, line->rest, &rest) ||
        __builtin_mul_overflow(by, line->rate, &along) ||
        __builtin_add_overflow(along, line->part + rest / line->length, &age)) {
        int128 wide = (int128)local_ticks - line->knot.local_ticks;
        return line->ticks +
               floor_div(line->part + line->rate * wide + line->rest * wide / line->length,
                         AGE_UNIT);
    }
    return line->ticks + age / AGE_UNIT - (age % AGE_UNIT < 0);
}

/* Returns global time minus local time, in 1/AGE_UNIT ticks. O(log knots). */
int128 knots_age(const struct knots *knots, int64_t local_ticks);

static inline int128 knots_global(const struct knots *knots, int64_t local_ticks)
{
    return local_ticks + floor_div(knots_age(knots, local_ticks), AGE_UNIT);
}

/* Returns value * num / den, rounded down; 0 <= num <= den < 2^63, |value| < 2^125. */
int128 knots_part(int128 value, int64_t num, int64_t den);

/* Returns how many ticks apart two readings of a clock must be to show which of them came first.
 * Each reading has an error of up to half of `ticks`, and the rate an error of up to rate_ppb. */
static inline int64_t knots_window(int64_t ticks, int64_t rate_ppb)
{
    int128 window = ceil_div((int128)ticks * (AGE_UNIT + rate_ppb), (int128)AGE_UNIT - rate_ppb);
    return window < INT64_MAX ? (int64_t)window : INT64_MAX;
}

#endif
