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

/* A breakpoint of V (see above): after `place`, the slope is less by `drop`, which is above 0. */
struct tube_break {
    int128 place;
    int64_t drop;
};

/* The function V that the head of this file explains, for the events added so far. All members are
 * 0 initially. */
struct tube {
    int128 from, until; /* least and greatest z for which V(z) is defined */
    int128 value;       /* V(from) */
    int64_t slope;      /* slope of V from `from` to the first breakpoint */
    bool begun;
    bool lost;                 /* true if the sum over all events can be arbitrarily large */
    struct tube_break *breaks; /* breakpoints of V, sorted by place */
    size_t count, capacity;
};

struct tube_instant {
    int128 least, greatest; /* limits of the event's true time minus its estimated time */
    int128 slow, fast;      /* limits of h[i] - h[i-1] (see above) */
    int64_t c;
};

void tube_fini(struct tube *tube);

/* Add the next event of the clock, in the order of local times. If V gets more than TUBE_BREAKS_MAX
 * breakpoints, two are merged. The result of tube_greatest may then be too large, but not too
 * small. Returns false if out of memory. Cost: O(breakpoints). */
enum { TUBE_BREAKS_MAX = 64 };
bool tube_add(struct tube *tube, const struct tube_instant *instant);

/* Set *out to the greatest possible sum (see above) for the events added so far; without events, it
 * is 0. Returns false if the sum has no limit. */
bool tube_greatest(const struct tube *tube, int128 *out);

#endif
