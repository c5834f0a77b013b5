/* Finds a clock of a partial order that was set once. See doc/diagnosis.md, Causes.
 *
 * A clock that was set is modelled as two: one before and one after a place between two of its
 * records. Their location keeps its order across the place. If a contradictory cycle follows the
 * clock from one record to another, a place between these breaks the cycle. So each cycle that a
 * cut leaves narrows the range of possible places. Cuts are tried at the last place of the range
 * until one leaves no cycle, and then at the first place. Wrong timestamps are tried, too: each
 * such record is then on its own clock. */
#ifndef DIAGNOSIS_SET_CLOCK_H
#define DIAGNOSIS_SET_CLOCK_H

#include "sync/solution.h"

struct drift_trial;

enum { SET_CLOCKS_MOST = 4, BAD_MOST = 2 };

/* A step of a clock: the places where the clock may have been set, and the size of the step. */
struct set_place {
    uint64_t record_before, record_after; /* the clock was set between these records */
    uint64_t place_before, place_after;
    int64_t least_ticks, most_ticks; /* positive if the clock was set forward */
    bool sized;                      /* every place of the step has a size within these limits */
    /* With a 2 delta of just the resolution, the size is from fine_least_ticks to fine_most_ticks.
     * `fine` is false if the trace needs a larger 2 delta. */
    bool fine;
    int64_t fine_least_ticks, fine_most_ticks;
};

struct set_clock {
    struct set_place at[SET_CLOCKS_MOST]; /* for each of `clocks` */
    /* the search for wrong timestamps or for clocks that were set stopped before its end */
    bool exhausted;
    size_t nclocks; /* 0: no single step explains the contradiction */
    size_t clocks[SET_CLOCKS_MOST];
    /* how many wrong timestamps explain the contradiction; 0: more than BAD_MOST would */
    size_t nbad;
    uint64_t bad_place[BAD_MOST];
    int64_t resolution;  /* 2 delta for `fine` */
    int64_t twice, left; /* 2 delta without the step, and at most with it */
};

/* Search for a step if rates within rate_ppb need a 2 delta above the resolution. Nothing is found
 * if the points are no longer in memory, or if the trace has more than 100,000 points. Up to 160
 * passes over the points. */
csy_status set_clock_find(struct csy_sync *sync, struct drift_trial *trial, int64_t rate_ppb,
                          struct set_clock *out, csy_error *error);

#endif
