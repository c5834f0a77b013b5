/*
 * Flows of least cost: what a sum of offsets is at most.
 *
 *   max { sum over v of supply[v] x[v] : x[s] - x[t] <= cost for each arc (s,t) }
 *     = min { sum over arcs of cost * flow : supply[v] more leaves v than comes, for each v }
 *
 * An arc of limited capacity is, on the left, a limit that may be broken: what x[s] - x[t] has
 * above cost is taken from the sum, capacity times.  Both sides are attained by whole numbers.
 *
 * By the network simplex method with strongly feasible trees (W. H. Cunningham, A network simplex
 * method, Mathematical Programming 11, 1976), which cannot cycle.
 */
#ifndef GRAPH_FLOW_H
#define GRAPH_FLOW_H

#include "base/number.h"

#define FLOW_ENDLESS INT64_MAX

struct flow_arc {
    uint32_t from, to;
    int64_t cost;
    int64_t capacity; /* >= 0, or FLOW_ENDLESS */
};

struct flow {
    bool possible; /* else the sum on the left has no limit, and the rest is 0 */
    int128 cost;
    uint64_t pivots;
};

/* The supplies of the n vertices sum to 0, and no cycle of endless arcs costs less than 0.  x,
 * unless it is NULL, is where the left side is attained, by vertex, if that is possible.  8 bytes
 * an arc and 64 a vertex.  CSY_INPUT where a cost, times vertices, or the supplies leave the range
 * of the arithmetic. */
csy_status flow_find(const int64_t *supply, size_t n, const struct flow_arc *arcs, size_t narcs,
                     struct flow *out, int64_t *x, csy_error *error);

#endif
