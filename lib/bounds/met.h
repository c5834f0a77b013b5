/* Bounds of the pairs of clocks that share a constraint (graph/reduce.h), from eliminations
 * (graph/eliminations.h). If two clocks share a constraint, they are neighbours until one of them
 * is eliminated, so an elimination contains the pair. The eliminations are read from the last to
 * the first. The bounds between an eliminated clock and its neighbours then follow from the bounds
 * between these neighbours, which were computed before. K. Takahashi's recursion of 1973 computes
 * entries of the inverse of a sparse matrix in the same way. */
#ifndef BOUNDS_MET_H
#define BOUNDS_MET_H

#include "bounds/bounds.h"

struct met_pair {
    uint32_t s, t;       /* two clocks, s < t */
    int64_t there, back; /* bounds from s to t and from t to s (bounds/bounds.h) */
};

struct met {
    struct met_pair *items; /* pairs of clocks, sorted by s, then by t */
    size_t count;
};

/* List the pairs of clocks that share a constraint; bounds are WALK_INF. Always call met_fini. */
csy_status met_list(const struct pairs *pairs, struct met *out, csy_error *error);

/* Estimates how many computing steps met_gather takes. O(number of eliminations). */
uint128 met_steps(const struct bounds *b);

/* List the pairs of clocks that share a constraint, with their bounds from `b`, which must be the
 * result for `pairs`. Call met_fini even after a failure. Takes 16 bytes for each neighbour in each
 * elimination. If `b` has no eliminations, two searches are made for each clock. Returns CSY_INPUT
 * if a bound overflows. */
csy_status met_gather(const struct bounds *b, const struct pairs *pairs, struct met *out,
                      csy_error *error);
void met_fini(struct met *met);

/* Returns the mean and the maximum of the finite error bounds (sums of the bounds both ways). */
csy_group met_figures(const struct met *met);

#endif
