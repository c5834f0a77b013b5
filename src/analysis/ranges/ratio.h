/*
 * Ratios of two times that are linear in the moves of clocks: the exact greatest and least value,
 * and whether some offsets attain it.
 */
#ifndef ANALYSIS_RANGES_RATIO_H
#define ANALYSIS_RANGES_RATIO_H

#include "analysis/ranges/moves.h"

/* ticks + sum over clocks of c[clock] x[clock] */
struct ratio_sum {
    int128 ticks;
    int64_t *c; /* by clock; they sum to 0 */
};

struct ratio {
    int128 part, whole; /* whole > 0 */
};

/* The greatest value of part / whole over all moves, with sign -1 the least one.  The caller has
 * made sure that both sums are at least 0 at all moves, and the whole above 0; clocks that do not
 * move at all must be possible.  *attained is false if the search ends early, since numbers become
 * too large or the ratio has no limit; *out is then a value that some moves have, which bounds
 * nothing.  A flow for each of a few rounds (W. Dinkelbach, On nonlinear fractional programming,
 * Management Science 13, 1967). */
csy_status ratio_find(const struct moves *moves, const struct ratio_sum *part,
                      const struct ratio_sum *whole, int sign, struct ratio *out, bool *attained,
                      csy_error *error);

#endif
