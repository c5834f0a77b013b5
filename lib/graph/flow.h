/* Minimum-cost flows, which maximize a sum of offsets x. These two numbers are equal:
 *
 *   max { sum over v of supply[v] x[v] : x[s] - x[t] <= cost for each arc (s,t) }
 *   min { sum over arcs of cost * flow : supply[v] more flows out of v than in, for each v }
 *
 * An arc with a finite capacity is a limit that may be violated in the first problem. Then capacity
 * times the excess of x[s] - x[t] over cost is subtracted from the sum. Both problems have optimal
 * integer solutions.
 *
 * They are solved by the network simplex method with strongly feasible trees (W. H. Cunningham, A
 * network simplex method, Mathematical Programming 11, 1976), which always terminates. */
#ifndef GRAPH_FLOW_H
#define GRAPH_FLOW_H

#include "base/number.h"

#define FLOW_ENDLESS INT64_MAX

struct flow_arc {
    uint32_t from, to;
    int64_t cost;
    int64_t capacity; /* greatest flow, at least 0; or FLOW_ENDLESS for no limit */
};

struct flow {
    bool possible; /* false if the sum of the offsets can grow without limit */
    int128 cost;
    uint64_t pivots;
};

/* Find the optimum. The n supplies must sum to 0, and no cycle of endless arcs may have a negative
 * cost. `x` becomes optimal offsets if these exist; it may be NULL. Returns CSY_INPUT if supplies,
 * or costs times n, overflow. Memory: 8 bytes for each arc and 64 for each vertex. */
csy_status flow_find(const int64_t *supply, size_t n, const struct flow_arc *arcs, size_t narcs,
                     struct flow *out, int64_t *x, csy_error *error);

#endif
