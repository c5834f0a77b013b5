/* Explains constraints of a partial order. Converts pairs of clocks to constraints between records,
 * and finds the steps of a constraint: messages, groups, named records, and buffers between the two
 * records. */
#ifndef SYNC_PARTIAL_PARTIAL_STEPS_H
#define SYNC_PARTIAL_PARTIAL_STEPS_H

#include "sync/partial_order.h"
#include "sync/solution.h"

/* The contradictory constraints of a solution (its witness), until their steps are found. */
struct witness_edges {
    struct edge *items; /* NULL if there are no contradictory constraints, or if their steps are
                         * known */
    size_t n;
};

/* Store constraints that contradict each other: the n items of `pairs` with the indexes cycle[i].
 * Their events are in `points`. The caller frees edges->items. */
csy_status witness_set(struct csy_sync *sync, const struct points *points,
                       const struct pairs *pairs, const size_t *cycle, size_t n,
                       struct witness_edges *edges, csy_error *error);

/* Find the steps of the witness in a partial order. Frees edges->items, and sets it to NULL. */
csy_status witness_name(struct csy_sync *sync, struct witness_edges *edges, csy_error *error);

/* Convert a path or cycle of n pairs of clocks or groups to *count constraints between records.
 * walk[i] is the index of the i-th pair. A pair that leads to a group and the next pair, which
 * leads out of it, become one constraint. The caller frees *edges. */
csy_status pairs_edges(const struct csy_sync *sync, const struct points *points,
                       const struct pairs *pairs, const size_t *walk, size_t n, struct edge **edges,
                       size_t *count, csy_error *error);

#endif
