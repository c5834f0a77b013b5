/* Explains constraints of a partial order. Converts pairs of clocks to constraints between records,
 * and finds the steps of a constraint: messages, groups, named records, and buffers between the two
 * records. */
#ifndef SYNC_PARTIAL_PARTIAL_STEPS_H
#define SYNC_PARTIAL_PARTIAL_STEPS_H

#include "sync/partial_order.h"
#include "sync/solution.h"

/* Set the steps of n constraints, on the path with the greatest latency, then the fewest steps. The
 * caller frees them. O(points and edges between both ends) for each constraint. */
csy_status partial_name_edges(const struct csy_sync *sync, const struct edge *edges,
                              csy_witness_edge *const *named, size_t n, csy_error *error);

csy_status partial_name_witness(struct csy_sync *sync, const struct edge *edges, size_t n,
                                csy_error *error);

/* Convert a path of n pairs (from clock to clock, or a cycle) to *count constraints between clocks.
 * Successive pairs through hubs (groups) become one constraint. The caller frees *edges. */
csy_status partial_edges(const struct csy_sync *sync, const size_t *walk, size_t n,
                         struct edge **edges, size_t *count, csy_error *error);

/* Do the same as partial_edges, for pairs and points that are not in the solution. */
csy_status pairs_edges(const struct csy_sync *sync, const struct points *points,
                       const struct pairs *pairs, const size_t *walk, size_t n, struct edge **edges,
                       size_t *count, csy_error *error);

#endif
