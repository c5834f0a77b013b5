/*
 * Pairs of clocks, and by how much they may move against one another: x[t] - x[s] with s < t, x
 * being the move of each away from its estimated offset.
 */
#ifndef ANALYSIS_RANGES_CLOCK_PAIRS_H
#define ANALYSIS_RANGES_CLOCK_PAIRS_H

#include "analysis/ranges/moves.h"
#include "base/texts.h"
#include "sync/solution.h"

struct moving_pair {
    uint32_t s, t;    /* s < t */
    int64_t up, down; /* the greatest x[t] - x[s], and x[s] - x[t]; or MOVES_NONE */
};

struct clock_pairs {
    struct moving_pair *items; /* in the order in which they are met */
    size_t count, capacity;
    struct texts keys;
    csy_range_kind kind; /* of what rests on them; CSY_RANGE_UNKNOWN: there are no bounds */
};

void clock_pairs_fini(struct clock_pairs *pairs);

/* The number of a pair, a != b; false on no memory. */
bool clock_pairs_add(struct clock_pairs *pairs, uint32_t a, uint32_t b, uint32_t *out);

/* The one that was added. */
const struct moving_pair *clock_pairs_look(const struct clock_pairs *pairs, uint32_t a, uint32_t b);

/* After all were added: find the moves of all, by the bounds of each, or, of many clocks and of a
 * solution that was read, by those to the reference. */
csy_status clock_pairs_find(struct clock_pairs *pairs, csy_sync *sync, csy_error *error);

#endif
