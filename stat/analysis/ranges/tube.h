/*
 * Tubes: the greatest value of a sum over the instants of one drifting clock.
 *
 *   sum of c[i] h(x[i]),  where  least[i] <= h(x[i]) <= greatest[i]
 *                         and    slow[i] <= h(x[i]) - h(x[i-1]) <= fast[i]
 *
 * h(x) is the time of an instant minus its estimate, in parts of a tick.  The tube
 * keeps one concave function: V(z) is the greatest sum so far if h = z at the last instant.  It is
 * linear between breakpoints.  The next instant allows h to change, which moves the part of V that
 * rises by `slow` and the part that falls by `fast`, cuts V to [least, greatest], and adds c to all
 * slopes.  doc/ranges.md, Clocks that drift.
 *
 * The lower end of a sum is minus the greatest value with coefficients of the other sign.
 */
#ifndef ANALYSIS_RANGES_TUBE_H
#define ANALYSIS_RANGES_TUBE_H

#include "base/number.h"

#include <stdbool.h>
#include <stddef.h>

/* A place after which the slope of V is less by `drop`, which is above 0. */
struct tube_break {
    int128 place;
    int64_t drop;
};

/* The greatest sum so far as a function V of the last h. All members are 0 initially. */
struct tube {
    int128 from, until; /* V is defined for these values of h */
    int128 value;       /* value of V at `from` */
    int64_t slope;      /* slope of V right of `from` */
    bool begun;
    bool lost;                 /* no limit: a number exceeded 127 bits, or no h is possible */
    struct tube_break *breaks; /* breakpoints between `from` and `until`, sorted by place */
    size_t count, capacity;
};

struct tube_instant {
    int128 least, greatest; /* limits of h at the instant */
    int128 slow, fast;      /* limits of the change of h since the previous instant */
    int64_t c;
};

void tube_fini(struct tube *tube);

/* Add the next instant, at the same or a later reading of the clock, in O(breakpoints). Beyond
 * TUBE_BREAKS_MAX breakpoints, two are merged, which may increase V. Returns false if out of
 * memory. */
enum { TUBE_BREAKS_MAX = 64 };
bool tube_add(struct tube *tube, const struct tube_instant *instant);

/* Set *out to the greatest sum, which is 0 without instants. Returns false if there is no limit. */
bool tube_greatest(const struct tube *tube, int128 *out);

#endif
