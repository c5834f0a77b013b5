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

/* A place where the slope of V changes: after `place`, it is less by `drop`, which is above 0. */
struct tube_break {
    int128 place;
    int64_t drop;
};

/* The concave function V that the head of this file explains, after the events added so far. All
 * members are 0 initially. */
struct tube {
    int128 from, until; /* V(z) is defined for z from `from` to `until` */
    int128 value;       /* V(from) */
    int64_t slope;      /* slope of V just after `from` */
    bool begun;
    bool lost;                 /* true if the sum has no limit */
    struct tube_break *breaks; /* places where the slope of V changes, sorted by place */
    size_t count, capacity;
};

struct tube_instant {
    int128 least, greatest; /* limits of the event's true time minus its estimated time */
    int128 slow, fast;      /* limits of how much this difference has grown since the last event */
    int64_t c;
};

void tube_fini(struct tube *tube);

/* Add the next event of the clock. Its local time must not be earlier than that of the last event.
 * If V has more than TUBE_BREAKS_MAX breakpoints, two are merged, which may increase the greatest
 * sum. Returns false if out of memory. Cost: O(breakpoints). */
enum { TUBE_BREAKS_MAX = 64 };
bool tube_add(struct tube *tube, const struct tube_instant *instant);

/* Set *out to the greatest possible weighted sum of the events added so far; without events, it is
 * 0. Returns false if there is no limit. */
bool tube_greatest(const struct tube *tube, int128 *out);

#endif
