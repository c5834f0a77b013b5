/* Finds the steps of a constraint: the messages, groups, named records, and buffers between two
 * records. */
#ifndef SYNC_PARTIAL_PARTIAL_STEPS_H
#define SYNC_PARTIAL_PARTIAL_STEPS_H

#include "sync/partial_order.h"
#include "sync/solution.h"

/* Set the steps of n constraints; the caller frees them. They follow the path with the greatest
 * latency, and among several the one with the fewest steps. Successive events of a location are no
 * step. Each takes O(points and edges between the two points, locations, and buffers). */
csy_status partial_name_edges(const struct csy_sync *sync, const struct edge *edges,
                              csy_witness_edge *const *named, size_t n, csy_error *error);

/* Set the steps of the witness's constraints. */
csy_status partial_name_witness(struct csy_sync *sync, const struct edge *edges, size_t n,
                                csy_error *error);

#endif
