/* Finds a clock that was set once, in a trace in partial order. See doc/diagnosis.md, Causes.
 *
 * If a clock was set, its records before and after this moment belong to two different clocks. So
 * the search cuts a clock between two of its records, treats the parts as two clocks, and tests
 * whether a contradiction is left. A contradiction is a cycle of records; a cut breaks the cycle if
 * it lies between two records of the clock that follow each other in the cycle. So each cycle that
 * remains narrows the range of possible places. Cuts are tried at the last place of the range until
 * no cycle remains, and then at the first place.
 *
 * Wrong timestamps are also searched for: a record with a wrong timestamp is treated as a clock of
 * its own. */
#ifndef DIAGNOSIS_SET_CLOCK_H
#define DIAGNOSIS_SET_CLOCK_H

#include "sync/solution.h"

struct drift_trial;

enum { SET_CLOCKS_MOST = 4, BAD_MOST = 2 };

/* The places where a clock may have been set, and the size of the step. */
struct set_place {
    uint64_t record_before, record_after; /* the clock was set between these records */
    uint64_t place_before, place_after;
    /* limits of the step's size; positive if the clock was set forward */
    int64_t least_ticks, most_ticks;
    /* true if the size is known, wherever between these records the clock was set */
    bool sized;
    /* Limits of the step's size if timestamps are wrong only by the resolution of the clocks.
     * `fine` is false if the trace needs a larger timestamp error. */
    bool fine;
    int64_t fine_least_ticks, fine_most_ticks;
};

struct set_clock {
    struct set_place at[SET_CLOCKS_MOST]; /* step of each clock in `clocks` */
    /* true if the search stopped before all clocks and wrong timestamps were tried */
    bool exhausted;
    /* number of clocks of which any may have been set; 0 if no single step explains the
     * contradiction */
    size_t nclocks;
    size_t clocks[SET_CLOCKS_MOST];
    /* number of wrong timestamps that explain the contradiction, or 0 if BAD_MOST do not suffice */
    size_t nbad;
    uint64_t bad_place[BAD_MOST];
    int64_t resolution; /* twice the timestamp error that `fine` assumes */
    /* twice the timestamp error without the step, and its upper limit with the step */
    int64_t twice, left;
};

/* Search for a clock that was set, if rates within rate_ppb leave a contradiction larger than the
 * resolution. Nothing is found if the points are no longer in memory or more than 100,000. This
 * takes up to 160 passes over the points. */
csy_status set_clock_find(struct csy_sync *sync, struct drift_trial *trial, int64_t rate_ppb,
                          struct set_clock *out, csy_error *error);

#endif
