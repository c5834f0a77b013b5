/* Finds a clock of a partial order that was set once. See doc/diagnosis.md, Causes.
 *
 * A clock that was set is modelled as two: one before and one after a place between two of its
 * records. Their location keeps its order across the place. If a contradictory cycle follows the
 * clock from one record to another, a place between these breaks the cycle. So each remaining cycle
 * narrows the range of possible places, and a binary search finds a place. Wrong timestamps are
 * tried, too: each such record is then on its own clock. */
#ifndef DIAGNOSIS_SET_CLOCK_H
#define DIAGNOSIS_SET_CLOCK_H

#include "sync/solution.h"

struct drift_trial;

enum { SET_CLOCKS_MOST = 4, BAD_MOST = 2 };

/* The places where a clock may have been set, and the size of the step. */
struct set_place {
    uint64_t record_before, record_after;
    uint64_t place_before, place_after;
    int64_t least_ticks, most_ticks; /* positive if the clock was set forward */
    bool sized;                      /* the size holds at all these places */
    /* The size if 2 delta is only the resolution, fine_least_ticks to fine_most_ticks. `fine` is
     * false if 2 delta cannot be that small. */
    bool fine;
    int64_t fine_least_ticks, fine_most_ticks;
};

struct set_clock {
    struct set_place at[SET_CLOCKS_MOST]; /* for each of `clocks` */
    bool exhausted; /* the search for wrong timestamps, or for set clocks, was given up */
    size_t nclocks; /* 0: no single step explains the contradiction */
    size_t clocks[SET_CLOCKS_MOST];       /* the members below describe the first one */
    uint64_t record_before, record_after; /* it was set between these records */
    uint64_t place_before, place_after;
    int64_t least_ticks, most_ticks; /* positive if the clock was set forward */
    size_t nbad; /* wrong timestamps that explain the contradiction; 0: more than BAD_MOST */
    uint64_t bad_place[BAD_MOST];
    int64_t resolution;  /* 2 delta for `fine` */
    int64_t twice, left; /* 2 delta without the step, and at most with it */
};

/* Look for a step, if rates within rate_ppb need a 2 delta above the resolution. Finds nothing if
 * the trace must be read again for its points, or has more than 100,000 points. Makes pairs in up
 * to 160 passes over the points. */
csy_status set_clock_find(struct csy_sync *sync, struct drift_trial *trial, int64_t rate_ppb,
                          struct set_clock *out, csy_error *error);

#endif
