/* Chooses one offset for each clock from the pairs, even if clocks are unbounded on both sides. See
 * doc/algorithms.md, Partial orders. A component is a set of clocks that reach each other along
 * pairs. A component is placed as a whole. Inside a component, offsets relative to its reference
 * follow [BHH08] eq. (9), rounded down. The component of tau is placed first. Then all components
 * that a placed component reaches are placed as early as possible. Then all components that reach a
 * placed component are placed as late as possible, and so on in turns. Each component has limits on
 * one side only. The remaining components form further islands. */
#ifndef SYNC_PARTIAL_ISLANDS_H
#define SYNC_PARTIAL_ISLANDS_H

#include "graph/search.h"

struct island_clock {
    uint64_t first_record, records;
    int128 least_x;
};

struct islands_rule {
    size_t tau;
    csy_fraction alpha;
    const struct island_clock *clocks;
    int128 (*wide)(const void *user, size_t i); /* returns a pair's weight, for islands_shift */
    const void *user;
};

/* Set the offset g[t] of all clocks, relative to g[tau] = 0, on the rough timescale. *count is the
 * number of islands. Returns CSY_INPUT if an offset leaves the range of the arithmetic. This takes
 * O(pairs log vertices), and 50 bytes for each vertex. */
csy_status islands_place(const struct search_graph *graph, const struct islands_rule *rule,
                         int64_t *g, size_t *count, csy_error *error);

/* Place components as islands_place does, for clocks already placed inside. The component of clock
 * t moves by shift[t]. The function rule->wide replaces the graph's weights, in the unit of
 * least_x. */
csy_status islands_shift(const struct search_graph *graph, const struct islands_rule *rule,
                         int128 *shift, size_t *count, csy_error *error);

#endif
