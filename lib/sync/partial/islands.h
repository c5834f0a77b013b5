/* Chooses one offset for each clock from the pairs, even if clocks are unbounded on both sides. See
 * doc/algorithms.md, Partial orders.
 *
 * A component is a set of clocks that reach each other. It is placed as a whole; inside it, offsets
 * relative to its reference follow [BHH08] eq. (9), rounded down. First the component of tau is
 * placed. Then all components that a placed one reaches are placed as early as possible, then all
 * that reach a placed one as late as possible, and so on in turns. Each has limits on one side
 * only. The remaining components form further islands. */
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
    int128 (*wide)(const void *user, size_t i); /* for islands_shift: the weight of a pair */
    const void *user;
};

/* Set g[t] relative to g[tau] = 0, between x, for all clocks. *count is the number of islands.
 * CSY_INPUT if an offset leaves the range of the arithmetic. O(pairs log vertices), 50 bytes for
 * each vertex. */
csy_status islands_place(const struct search_graph *graph, const struct islands_rule *rule,
                         int64_t *g, size_t *count, csy_error *error);

/* Like islands_place, for clocks that are placed within their component. shift[t] is how far the
 * component of clock t moves. rule->wide replaces the graph's weights, in the unit of least_x. */
csy_status islands_shift(const struct search_graph *graph, const struct islands_rule *rule,
                         int128 *shift, size_t *count, csy_error *error);

#endif
