/*
 * Attained times: for how long how many actors are active once clocks are moved to where sums of
 * their moves were greatest.  Other than the ranges of levels these are times that there are, at
 * offsets that the records allow; where both agree nothing is left to be known.
 *
 * The records are read once more.  With clocks moved all instants, and the ends of all blocks, are
 * put in the order of time, for each of these moves apart: what can still have others before it is
 * held, 24 bytes a change.
 */
#ifndef ANALYSIS_RANGES_ATTAINED_H
#define ANALYSIS_RANGES_ATTAINED_H

#include "analysis/ranges/levels.h"

/* Of a level, the least and the greatest that was met. */
struct attained_times {
    int64_t from, to;
};

struct attained {
    bool known;
    struct attained_times *at_least, *exactly; /* by level, at 0 of the time from the begin to the
                                                * end, and with none active */
};

/* So many moves are met, and so many of these once the first n of all blocks have been. */
enum { ATTAINED_MOVES_MAX = 256 };
size_t attained_moves(size_t n, size_t nblocks);

/* Of each block of a run whose moves have met some; nothing is known where clocks may not be there,
 * by the bounds to the reference or with delta above 0.  *out are as many as blocks. */
csy_status attained_find(const struct levels_run *run, const csy_meaning *meaning,
                         struct attained **out, csy_error *error);
void attained_free(struct attained *attained, size_t nblocks);

#endif
