/*
 * The whole answer to a drawn trace by brute force, in 128-bit integers between the clocks as they
 * are: every ordered pair of records is a constraint, bounds are closed by Floyd and Warshall,
 * offsets and figures follow doc/algorithms.md word by word.  It shares no code with what it is
 * compared with.
 */
#ifndef UNIT_BRUTE_H
#define UNIT_BRUTE_H

#include "drawn.h"

#define BRUTE_FAR ((int128)1 << 100) /* no bound: this or above */

struct brute {
    const struct drawn *d;
    size_t n;
    int128 edge[DRAWN_THREADS][DRAWN_THREADS];  /* as they were before they were closed */
    int128 bound[DRAWN_THREADS][DRAWN_THREADS]; /* g[s] - g[t] <= bound[s][t] */
    int128 offset[DRAWN_THREADS];
    size_t tau, unbounded;
    csy_summary summary; /* quadratic is left alone */
    uint64_t inversions;
    int128 largest_inversion;
};

/* The constraints of all ordered pairs of records, a thread's own among them.  O(records^2) */
void brute_constrain(struct brute *b, const struct drawn *d);

/* The least 2 delta for which they are feasible: minus the least mean of a cycle, or 0, by Karp. */
csy_fraction brute_least_twice(const struct brute *b);

/* Constraints -> everything else, each raised by added_ticks, which makes them feasible.  O(n^3) */
void brute_solve(struct brute *b, int64_t added_ticks, size_t tau, csy_fraction alpha,
                 csy_center center);

/* Whether all that is asked for is well within 64 bits, so that nothing may be refused. */
bool brute_fits(const struct brute *b);

/* The test fails unless the solution says the same: threads, bounds of every pair both ways,
 * offsets and their ends, figures, inversions. */
void brute_compare(const struct brute *b, csy_sync *sync, const char *what);

#endif
