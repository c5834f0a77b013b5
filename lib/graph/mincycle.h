/* Finds the least timestamp error delta, exactly, that removes all contradictions between
 * constraints. Constraints (called pairs) are the edges of a graph. Its vertices are clocks and
 * hubs (groups of points, graph/reduce.h). 2 delta is added to each pair that ends at a clock. The
 * result is the maximum of -weight / count over all cycles of pairs, where count is the number of
 * pairs in the cycle that end at a clock; every cycle has at
 * least one.
 *
 * Each vertex has a label: the length of the shortest path found so far that ends there, if 2 delta
 * has its present value p/q. Passes over the pairs lower the labels. The parent of a vertex is the
 * pair that last lowered its label. If parents form a cycle after a pass, the length of this cycle
 * is negative. Then 2 delta is raised so that the length becomes 0, and the labels are reset. A
 * pass that lowers no label proves the result. */
#ifndef GRAPH_MINCYCLE_H
#define GRAPH_MINCYCLE_H

#include "graph/reduce.h"

struct mincycle {
    csy_fraction twice; /* the 2 delta found, in ticks */
    bool infeasible;    /* true if a given 2 delta was tested, and constraints contradict each
                         * other */
    size_t *witness;    /* pairs of the last negative cycle found, in order, or NULL */
    size_t nwitness;
};

/* Find the least value of 2 delta without contradictions, `least` or greater. delta is the
 * timestamp error. If `given` is true, only test `least`. Call mincycle_fini even after a failure.
 * Returns CSY_INPUT if the weights on a path sum to more than 2^61 ticks. Time: O(pairs) for each
 * of a few passes, at worst one for each clock and hub. Memory: 25 bytes for each clock and hub. */
csy_status mincycle_find(const struct pairs *pairs, csy_fraction least, bool given,
                         struct mincycle *out, csy_error *error);
void mincycle_fini(struct mincycle *cycle);

/* Compute numbers label[v] <= 0 with label[s] + weight + added_ticks >= label[t] for each pair
 * (s,t). No cycle may be negative. Returns the same errors as mincycle_find. */
csy_status mincycle_labels(const struct pairs *pairs, int64_t added_ticks, int64_t *label,
                           csy_error *error);

#endif
