/* Converts walks along pairs of a partial order to constraints between records. Finds the steps of
 * a constraint: the messages, groups, named records, and buffers between the two records. */
#ifndef SYNC_PARTIAL_PARTIAL_STEPS_H
#define SYNC_PARTIAL_PARTIAL_STEPS_H

#include "sync/partial_order.h"
#include "sync/solution.h"

/* Set the steps of n constraints; the caller frees them. Steps follow the path with the greatest
 * latency or, among several, with the fewest steps. Successive events of a location are no step. A
 * constraint takes O(points and edges between its two points, locations, and buffers). */
csy_status partial_name_edges(const struct csy_sync *sync, const struct edge *edges,
                              csy_witness_edge *const *named, size_t n, csy_error *error);

/* Set the steps of the witness's constraints. */
csy_status partial_name_witness(struct csy_sync *sync, const struct edge *edges, size_t n,
                                csy_error *error);

/* Convert a walk of n pairs, given by index, to *count edges between clocks. Successive pairs
 * through hubs become one edge. Each pair begins where the previous pair ends. The walk begins and
 * ends at a clock, or is a cycle. The caller frees *edges. */
csy_status partial_edges(const struct csy_sync *sync, const size_t *walk, size_t n,
                         struct edge **edges, size_t *count, csy_error *error);

/* Do the same as partial_edges, for given pairs and points. */
csy_status pairs_edges(const struct csy_sync *sync, const struct points *points,
                       const struct pairs *pairs, const size_t *walk, size_t n, struct edge **edges,
                       size_t *count, csy_error *error);

/* Find a shortest walk from one clock to another, with the fewest pairs. *count is 0 if there is no
 * walk. The caller frees *edges. O(pairs log vertices). */
csy_status partial_walk(const struct csy_sync *sync, uint32_t from, uint32_t to,
                        struct edge **edges, size_t *count, csy_error *error);

#endif
