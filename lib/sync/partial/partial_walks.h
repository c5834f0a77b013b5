/* Converts walks along pairs of a partial order to constraints between records. */
#ifndef SYNC_PARTIAL_PARTIAL_WALKS_H
#define SYNC_PARTIAL_PARTIAL_WALKS_H

#include "sync/partial_order.h"
#include "sync/solution.h"

/* Convert a walk of n pairs, given by index, to *count edges between clocks. Successive pairs
 * through hubs become one edge. Each pair begins where the previous one ends. The walk begins and
 * ends at a clock, or is a cycle. The caller frees *edges. */
csy_status partial_edges(const struct csy_sync *sync, const size_t *walk, size_t n,
                         struct edge **edges, size_t *count, csy_error *error);

/* Like partial_edges, for pairs of other points. */
csy_status pairs_edges(const struct csy_sync *sync, const struct points *points,
                       const struct pairs *pairs, const size_t *walk, size_t n, struct edge **edges,
                       size_t *count, csy_error *error);

/* Find a shortest walk from one clock to another, with the fewest pairs. *count is 0 if there is
 * none. The caller frees *edges. O(pairs log vertices). */
csy_status partial_walk(const struct csy_sync *sync, uint32_t from, uint32_t to,
                        struct edge **edges, size_t *count, csy_error *error);

#endif
