/*
 * Tubes: the greatest value of a weighted sum over the events of one drifting clock.
 *
 *   sum of c[i] h[i],  where  least[i] <= h[i] <= greatest[i]
 *                      and    slow[i] <= h[i] - h[i-1] <= fast[i]
 *
 * h[i] is the true time of event i minus its estimated time, in parts of a tick.  The tube keeps
 * one concave function: V(z) is the greatest sum so far if h = z at the last event.  V is linear
 * between breakpoints.  For the next event, the rising part of V is moved by `slow`, and the
 * falling part by `fast`.  Then V is cut to [least, greatest], and c is added to all slopes.
 * See doc/ranges.md, Clocks that drift.
 *
 * The least value of a sum is minus the greatest value with the negated coefficients.
 */
#ifndef ANALYSIS_RANGES_TUBE_H
#define ANALYSIS_RANGES_TUBE_H

#include "base/number.h"

#include <stdbool.h>
#include <stddef.h>

/* A breakpoint of V: right of `place`, the slope of V is less by `drop` > 0. */
struct tube_break {
    int128 place;
    int64_t drop;
};

/* The function V (see above) after the events so far. All members are 0 initially. */
struct tube {
    int128 from, until; /* V is defined for h, true minus estimated time, from..until */
    int128 value;       /* value of V at `from` */
    int64_t slope;      /* slope of V right of `from` */
    bool begun;
    bool lost;                 /* true if V is unknown, and the sum has no limit */
    struct tube_break *breaks; /* breakpoints, sorted by place */
    size_t count, capacity;
};

struct tube_instant {
    int128 least, greatest; /* least and greatest true minus estimated time (h) */
    int128 slow, fast;      /* least and greatest increase of h since the last event */
    int64_t c;
};

void tube_fini(struct tube *tube);

/* Add the next event, at the same or a later reading, in O(breakpoints). Beyond TUBE_BREAKS_MAX,
 * two breakpoints are merged, which may increase the result. Returns false if out of memory. */
enum { TUBE_BREAKS_MAX = 64 };
bool tube_add(struct tube *tube, const struct tube_instant *instant);

/* Set *out to the greatest sum, or to 0 without events. Returns false if there is no limit. */
bool tube_greatest(const struct tube *tube, int128 *out);

#endif
