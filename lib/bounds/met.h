/* Bounds of the pairs of clocks in a partial order that share a constraint (graph/reduce.h), in
 * either direction.
 *
 * When one of two such clocks is eliminated, the other is its neighbour, so the eliminations
 * contain the pair. Walks between neighbours are computed from those of later eliminations. This is
 * K. Takahashi's recursion of 1973 for the entries of a sparse inverse, applied to walks. */
#ifndef BOUNDS_MET_H
#define BOUNDS_MET_H

#include "bounds/bounds.h"

struct met_pair {
    uint32_t s, t;       /* two clocks, s < t */
    int64_t there, back; /* wbar(s,t), wbar(t,s) */
};

struct met {
    struct met_pair *items; /* pairs, sorted by s, then by t */
    size_t count;
};

/* List the pairs without their bounds. Call met_fini even after a failure. */
csy_status met_list(const struct pairs *pairs, struct met *out, csy_error *error);

/* Estimate the steps of met_gather. O(entries of the eliminations). */
uint128 met_steps(const struct bounds *b);

/* Collect the bounds of the pairs from which `b` was computed. Call met_fini even after a failure.
 * Costs 16 bytes for each entry of the eliminations, or two searches for each clock. Returns
 * CSY_INPUT if a bound overflows. */
csy_status met_gather(const struct bounds *b, const struct pairs *pairs, struct met *out,
                      csy_error *error);
void met_fini(struct met *met);

/* Returns the mean and the maximum of the finite error bounds. Event errors are not set. */
csy_group met_figures(const struct met *met);

#endif
