/* By how much each clock can be moved against each other one, as far as the bounds let it. */
#ifndef ANALYSIS_RANGES_REACH_H
#define ANALYSIS_RANGES_REACH_H

#include "analysis/ranges/moves.h"

enum { REACH_CLOCKS_MAX = 4096 };

/* Of clocks that are not live together: all records of one come before those of the other. */
#define REACH_APART (-1)

struct reach {
    size_t n;
    int64_t *matrix; /* max x[s] - x[t] at s * n + t, or REACH_APART */
    int64_t added_ticks;
    int64_t greatest; /* of all; MOVES_NONE: some have no limit */
};

/* At most REACH_CLOCKS_MAX clocks, with bounds (moves.known); 8 bytes a pair of clocks. */
csy_status reach_init(struct reach *reach, const struct moves *moves, csy_error *error);
void reach_fini(struct reach *reach);

static inline int64_t reach_of(const struct reach *reach, uint32_t s, uint32_t t)
{
    return reach->matrix[(size_t)s * reach->n + t];
}

#endif
