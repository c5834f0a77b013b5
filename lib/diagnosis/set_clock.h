/* Finds a clock of a partial order that was set once. See cellsync-model(7), Diagnosis.
 *
 * A clock that was set is two clocks, one before a place between two of its records and one after
 * it; its location keeps its order across the place. A contradictory cycle that leads along the
 * clock from one record to another is broken by a place between these two. So each cycle that is
 * left narrows the places that are possible, and a search by halves finds one. Records with wrong
 * timestamps are tried as well: each has a clock of its own then. */
#ifndef DIAGNOSIS_SET_CLOCK_H
#define DIAGNOSIS_SET_CLOCK_H

#include "sync/solution.h"

struct drift_trial;

enum { SET_CLOCKS_MOST = 4, BAD_MOST = 2 };

/* Where a clock was set. */
struct set_place {
    uint64_t record_before, record_after;
    uint64_t place_before, place_after;
    int64_t least_ticks, most_ticks; /* forward; below 0: back */
    bool sized;                      /* the size is that of all places */
    /* The size if nothing is left beyond the resolution; fine is false if something is. */
    bool fine;
    int64_t fine_least_ticks, fine_most_ticks;
};

struct set_clock {
    struct set_place at[SET_CLOCKS_MOST]; /* by clock */
    bool exhausted; /* the search for wrong timestamps, or for clocks, was given up */
    size_t nclocks; /* 0: no single step explains the contradiction */
    size_t clocks[SET_CLOCKS_MOST];       /* the first is the one that the rest is about */
    uint64_t record_before, record_after; /* it was set between these */
    uint64_t place_before, place_after;
    int64_t least_ticks, most_ticks; /* forward; below 0: back */
    size_t nbad; /* how many wrong timestamps explain it; 0: more than BAD_MOST are needed */
    uint64_t bad_place[BAD_MOST];
    int64_t resolution;  /* a 2 delta, for `fine` */
    int64_t twice, left; /* 2 delta without the step, and with it at most */
};

/* Look for a step if rates within rate_ppb need a 2 delta above the resolution. Nothing is found if
 * the trace is read again for its points, or has more than 100,000 of them. Makes pairs in up to
 * 160 passes over the points. */
csy_status set_clock_find(struct csy_sync *sync, struct drift_trial *trial, int64_t rate_ppb,
                          struct set_clock *out, csy_error *error);

#endif
