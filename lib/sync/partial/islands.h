/* Chooses one offset for each clock, within the constraints between clocks. Some clocks may have no
 * constraints, or only lower or only upper limits. See doc/algorithms.md, Partial orders.
 *
 * 1. A component is a set of clocks that all have a lower and an upper limit relative to each
 *    other. Inside a component, offsets relative to one of its clocks (its reference) follow
 *    [BHH08] eq. (9), rounded down.
 * 2. Then each component is shifted as a whole, first the component of the reference tau. If the
 *    components with known shifts limit another one only from below, it gets the least possible
 *    shift. If they limit it only from above, it gets the greatest possible shift. This is repeated
 *    until no component is limited any more. The components with known shifts form an island.
 * 3. The remaining components form further islands in the same way. All islands begin at the same
 *    global time. If clocks show dates, the reference of an island's first component keeps its own
 *    times instead. */
#ifndef SYNC_PARTIAL_ISLANDS_H
#define SYNC_PARTIAL_ISLANDS_H

#include "graph/search.h"

struct island_clock {
    uint64_t first_record, records;
    int128 least_x;
    int128 own; /* if own_times: the shift that gives this clock the same offset as clock tau */
};

struct islands_rule {
    size_t tau;
    csy_fraction alpha;
    const struct island_clock *clocks;
    /* if not NULL: returns the weight of pair i in 128 bits, and graph->weight is not used. Then
     * the argument `shift` of islands_place must not be NULL. */
    int128 (*wide)(const void *user, size_t i);
    const void *user;
    bool own_times; /* true if clocks show dates (threads_keep_times), so their times need not begin
                     * at 0 */
};

/* Set g[t] to the offset of each clock t, for times with rough offsets added (order/rebase.h). If
 * `shift` is not NULL, clocks that limit each other on both sides already have offsets. Then set
 * shift[t] to the number of ticks to add to the offset of t. *count becomes the number of sets of
 * clocks between which there are no constraints. Returns CSY_INPUT if an offset is too large.
 * O(pairs log vertices), with 50 bytes for each vertex. */
csy_status islands_place(const struct search_graph *graph, const struct islands_rule *rule,
                         int64_t *g, int128 *shift, size_t *count, csy_error *error);

#endif
