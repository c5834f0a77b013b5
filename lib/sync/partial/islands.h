/*
 * Pairs -> one offset a clock, where clocks may be unbounded both ways.  cellsync-model(7), Partial
 * orders.
 *
 * Clocks that reach one another are a component, which is placed as a whole: inside, [BHH08] eq.
 * (9) against its own reference, floored.  From tau's component on all that can be reached are
 * placed as early as they can be, then all that reach those placed as late as they can be, by
 * turns: each has limits on one side only.  What is left begins a new island.
 */
#ifndef SYNC_PARTIAL_ISLANDS_H
#define SYNC_PARTIAL_ISLANDS_H

#include "graph/search.h"

struct island_clock {
    uint64_t first_record, records;
    int128 least_x; /* of its records */
};

struct islands_rule {
    size_t tau;
    csy_fraction alpha;
    const struct island_clock *clocks;
    const int128 *wide; /* of islands_shift: weights by pair; else NULL */
};

/* g[t] relative to g[tau] = 0, between x: one of each clock.  *count: of islands.  CSY_INPUT where
 * one leaves the range of the arithmetic.  O(pairs log vertices), 50 bytes a vertex. */
csy_status islands_place(const struct search_graph *graph, const struct islands_rule *rule,
                         int64_t *g, size_t *count, csy_error *error);

/* The same where the clocks of a component are placed already: by clock, by how much all of its are
 * moved.  Weights are rule->wide and not the graph's, and have its unit, as least_x has. */
csy_status islands_shift(const struct search_graph *graph, const struct islands_rule *rule,
                         int128 *shift, size_t *count, csy_error *error);

#endif
