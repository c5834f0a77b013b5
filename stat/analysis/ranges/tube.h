/*
 * Tubes: the greatest value of a sum over the instants of one clock that drifts.
 *
 *   sum of c[i] h(x[i]),  where  least[i] <= h(x[i]) <= greatest[i]
 *                         and    slow[i] <= h(x[i]) - h(x[i-1]) <= fast[i]
 *
 * h(x) is by how much the time of an instant is after its estimate, in parts of a tick.  The tube
 * keeps one concave function: V(z) is the greatest sum so far if h = z at the last instant.  It is
 * linear between breakpoints.  The next instant allows h to change, which moves the part of V that
 * rises by `slow` and the part that falls by `fast`, cuts V to [least, greatest], and adds c to all
 * slopes.  cellsync-analysis(7), Clocks that drift.
 *
 * The lower end of a sum is minus the greatest value with coefficients of the other sign.
 */
#ifndef ANALYSIS_RANGES_TUBE_H
#define ANALYSIS_RANGES_TUBE_H

#include "base/number.h"

#include <stdbool.h>
#include <stddef.h>

/* From here on the slope is less by `drop`, above 0. */
struct tube_break {
    int128 place;
    int64_t drop;
};

/* All 0 at first. */
struct tube {
    int128 from, until; /* V is defined from here to there */
    int128 value;       /* V(from) */
    int64_t slope;      /* right of `from` */
    bool begun;
    bool lost;                 /* a number left 127 bits, or nothing fits: there is no limit */
    struct tube_break *breaks; /* by place, between from and until */
    size_t count, capacity;
};

/* An instant. */
struct tube_instant {
    int128 least, greatest; /* of h here */
    int128 slow, fast;      /* of what h gains since the last instant; not for the first one */
    int64_t c;
};

void tube_fini(struct tube *tube);

/* Add the next instant, at the same reading of the clock or a later one.  O(breakpoints), of which
 * at most TUBE_BREAKS_MAX are kept: beyond that two become one, and V is greater there.  Returns
 * false if memory runs out. */
enum { TUBE_BREAKS_MAX = 64 };
bool tube_add(struct tube *tube, const struct tube_instant *instant);

/* The greatest sum; 0 without instants.  Returns false if it has no limit. */
bool tube_greatest(const struct tube *tube, int128 *out);

#endif
