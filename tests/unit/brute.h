/* Solves a random trace by brute force, in 128-bit integers. All ordered pairs of records are
 * constraints, bounds follow by the Floyd-Warshall algorithm, and offsets and statistics follow
 * doc/algorithms.md word by word. It shares no code with the engines. */
#ifndef UNIT_BRUTE_H
#define UNIT_BRUTE_H

#include "drawn.h"

#define BRUTE_FAR ((int128)1 << 100) /* from here on, there is no bound */

struct brute {
    const struct drawn *d;
    size_t n;
    int128 edge[DRAWN_THREADS][DRAWN_THREADS];  /* weights of constraints */
    int128 bound[DRAWN_THREADS][DRAWN_THREADS]; /* g[s] - g[t] <= bound[s][t] */
    int128 offset[DRAWN_THREADS];
    size_t tau, unbounded;
    csy_summary summary; /* all members except quadratic */
    uint64_t inversions;
    int128 largest_inversion;
};

/* Compute the constraints between all ordered pairs of records, also of one thread. O(records^2) */
void brute_constrain(struct brute *b, const struct drawn *d);

/* Returns the least feasible 2 delta: minus the least mean weight of a cycle (Karp), at least 0. */
csy_fraction brute_least_twice(const struct brute *b);

/* Compute all other members. added_ticks is added to each constraint, and must be sufficient to
 * make the constraints feasible. O(n^3) */
void brute_solve(struct brute *b, int64_t added_ticks, size_t tau, csy_fraction alpha,
                 csy_center center);

/* Returns true if all results are well within 64 bits, so that the library must not refuse them. */
bool brute_fits(const struct brute *b);

/* Fail the test unless the solution has the same threads, bounds, offsets with their ranges,
 * statistics, and inversions. */
void brute_compare(const struct brute *b, csy_sync *sync, const char *what);

#endif
