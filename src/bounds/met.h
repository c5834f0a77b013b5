/*
 * Bounds of the pairs of clocks that met in a partial order: that have a constraint of their own
 * (graph/reduce.h), one way or the other.
 *
 * Eliminating makes neighbours of the two before one of them goes, so eliminations have both, and
 * the walks between all neighbours follow from those of later eliminations: K. Takahashi's
 * recursion of 1973 for the entries of a sparse inverse, on walks.
 */
#ifndef BOUNDS_MET_H
#define BOUNDS_MET_H

#include "bounds/bounds.h"

struct met_pair {
    uint32_t s, t;       /* s < t */
    int64_t there, back; /* wbar(s,t), wbar(t,s) */
};

struct met {
    struct met_pair *items; /* sorted */
    size_t count;
};

/* What met_gather takes, in about so many steps.  O(entries of the eliminations). */
uint128 met_steps(const struct bounds *b);

/* Collect them; pairs are those that the bounds are of.  The caller calls met_fini even after a
 * failure.  Eliminations: 16 bytes an entry; searched: two searches a clock.  CSY_INPUT where a
 * bound leaves the range of the arithmetic. */
csy_status met_gather(const struct bounds *b, const struct pairs *pairs, struct met *out,
                      csy_error *error);
void met_fini(struct met *met);

/* Of those bounded both ways the mean and the maximum of error bounds; event errors are not set. */
csy_group met_figures(const struct met *met);

#endif
