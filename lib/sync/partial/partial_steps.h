/* By what one record comes before another: messages, groups, records that are named, buffers. */
#ifndef SYNC_PARTIAL_PARTIAL_STEPS_H
#define SYNC_PARTIAL_PARTIAL_STEPS_H

#include "sync/partial_order.h"
#include "sync/solution.h"

/* Set the steps of n constraints, which the caller frees: from the one point to the other on the
 * way of most latency, of such ways one of fewest steps; what a location does in between is none.
 * O(points and edges visited between the two, locations, buffers) each. */
csy_status partial_name_edges(const struct csy_sync *sync, const struct edge *edges,
                              csy_witness_edge *const *named, size_t n, csy_error *error);

/* The same of the witness, whose constraints these are. */
csy_status partial_name_witness(struct csy_sync *sync, const struct edge *edges, size_t n,
                                csy_error *error);

#endif
