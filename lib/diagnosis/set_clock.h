/* Finds clocks that were set, in a trace in partial order. See doc/diagnosis.md, Causes.
 *
 * If a clock was set, its records before and after this moment belong to two different clocks. So
 * the search cuts a clock between two of its records, treats the parts as two clocks, and tests
 * whether a contradiction is left. If so, the test finds a cycle of records with constraints that
 * contradict each other. A cut breaks this cycle if it lies between two records of the clock that
 * follow each other in the cycle. All cycles found so far are kept, and the next test uses only
 * cuts that break all of them. The last possible place of a cut is found first, and then the first
 * possible place.
 *
 * A step is a moment when a clock was set. If no single step explains the contradiction, pairs of
 * steps are searched for, of one clock or of two. Often several steps or pairs explain it, so all
 * of them are found, and each clock is cut at all places that they contain.
 *
 * Wrong timestamps are also searched for: a record with a wrong timestamp is treated as a clock of
 * its own.
 *
 * If the records of a clock are in several locations, such as the threads of a host, they are put
 * in the order of their times. They were made in this order unless the clock was set back. So
 * a clock with several locations is not considered if the time of a location goes back. */
#ifndef DIAGNOSIS_SET_CLOCK_H
#define DIAGNOSIS_SET_CLOCK_H

#include "sync/solution.h"

struct drift_trial;

enum { SET_STEPS_MOST = 8, MEMBERS_MOST = 2 };

/* A range of records that may contain a step of a clock, and the size of the step. */
struct set_place {
    size_t clock;
    size_t among; /* number of alternatives, including this step; one of them happened */
    uint64_t record_before, record_after; /* the clock was set between these records */
    int64_t before_ticks, after_ticks;    /* local times of these records */
    /* true if the clock has records in several locations: their positions do not show whether they
     * were made before the clock was set, only their times do */
    bool several;
    bool begins; /* true if --steps cannot cut the clock because of a record with a begin */
    uint64_t place_before, place_after;
    /* least and greatest size of the step; positive if the clock was set forward */
    int64_t least_ticks, most_ticks;
    /* true if the size is known, wherever between these records the clock was set */
    bool sized;
    /* The limits fine_least_ticks and fine_most_ticks assume that timestamps are wrong only by the
     * resolution of the clocks. `fine` is false if the trace needs a larger timestamp error. */
    bool fine;
    int64_t fine_least_ticks, fine_most_ticks;
};

struct set_clock {
    /* Number of possible steps in `at`, or 0 if neither one step of a clock nor two explain the
     * contradiction. Steps that exclude each other are next to each other. */
    size_t count;
    struct set_place at[SET_STEPS_MOST];
    size_t together; /* how many of the possible steps happened; the others are alternatives */
    /* true if the search stopped before all clocks and wrong timestamps were tried */
    bool exhausted;
    /* number of records with wrong timestamps that explain the contradiction, or 0 if two do not
     * suffice */
    size_t nbad;
    uint64_t bad_place[MEMBERS_MOST];
    int64_t resolution; /* twice the timestamp error that is assumed for fine_least_ticks and
                         * fine_most_ticks */
    /* `twice`: twice the timestamp error if no clock was set. `left`: upper limit of this value if
     * the clocks were set as found. */
    int64_t twice, left;
};

/* Search for clocks that were set. They are found only if clocks with rates up to rate_ppb
 * contradict each other by more than the resolution of timestamps, and if the solution has its
 * points in memory, at most 100,000. The clock `spared` is known not to be set; SIZE_MAX if there
 * is no such clock. Takes up to about 300 passes over the points. */
csy_status set_clock_find(struct csy_sync *sync, struct drift_trial *trial, int64_t rate_ppb,
                          size_t spared, struct set_clock *out, csy_error *error);

#endif
