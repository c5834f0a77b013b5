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

/* A place after which the slope is less by `drop`, which is above 0. */
struct tube_break {
    int128 place;
    int64_t drop;
};

/* All members are 0 initially. */
struct tube {
    int128 from, until; /* V is defined for these values of h */
    int128 value;       /* V(from) */
    int64_t slope;      /* slope right of `from` */
    bool begun;
    bool lost;                 /* a number exceeded 127 bits or no h is possible: no limit */
    struct tube_break *breaks; /* sorted by place, between from and until */
    size_t count, capacity;
};

struct tube_instant {
    int128 least, greatest; /* limits of h there */
    int128 slow, fast;      /* limits of the gain of h since the last instant, if any */
    int64_t c;
};

void tube_fini(struct tube *tube);

/* Add the next instant, at the same or a later reading of the clock. O(breakpoints). At most
 * TUBE_BREAKS_MAX are kept; beyond that, two are merged, where V gets greater. Returns false if out
 * of memory. */
enum { TUBE_BREAKS_MAX = 64 };
bool tube_add(struct tube *tube, const struct tube_instant *instant);

/* Get the greatest sum; 0 without instants. Returns false if there is no limit. */
bool tube_greatest(const struct tube *tube, int128 *out);

#endif
