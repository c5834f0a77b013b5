/* Minimum-cost flows: the maximum of a sum of offsets.
 *
 *   max { sum over v of supply[v] x[v] : x[s] - x[t] <= cost for each arc (s,t) }
 *     = min { sum over arcs of cost * flow : supply[v] more flows out of v than in, for each v }
 *
 * On the left, an arc with a finite capacity is a limit that may be violated: capacity times the
 * excess of x[s] - x[t] over cost is subtracted from the sum. Both sides have optimal integer
 * solutions.
 *
 * Solved by the network simplex method with strongly feasible trees (W. H. Cunningham, A network
 * simplex method, Mathematical Programming 11, 1976), which cannot cycle. */
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
    bool possible; /* false: the sum of offsets is unbounded, and the other members are 0 */
    int128 cost;
    uint64_t pivots;
};

/* Find the optimum. The supplies of the n vertices must sum to 0, and no cycle of endless arcs may
 * have a negative cost. `x`, which may be NULL, receives an optimal offset for each vertex if the
 * optimum is possible. Returns CSY_INPUT if the supplies, or a cost times the number of vertices,
 * overflow. Memory: 8 bytes for each arc and 64 for each vertex. */
csy_status flow_find(const int64_t *supply, size_t n, const struct flow_arc *arcs, size_t narcs,
                     struct flow *out, int64_t *x, csy_error *error);

#endif
