/* Finds the least delta of pairs (graph/reduce.h) exactly. 2 delta is the maximum of -weight /
 * count over all cycles of pairs, where count is the number of pairs in the cycle that lead to a
 * clock. It is at least one in each cycle.
 *
 * A label is (weight, count) of a walk that may begin anywhere. Labels are compared at the present
 * 2 delta = p/q in 128 bits. Passes lower labels along the pairs whose source has changed. If the
 * parents contain a cycle after a pass, the cycle is negative; it raises 2 delta, and the labels
 * are reset. A pass that lowers no label proves the result. */
#ifndef GRAPH_MINCYCLE_H
#define GRAPH_MINCYCLE_H

#include "graph/reduce.h"

struct mincycle {
    csy_fraction twice; /* the 2 delta found; no cycle is negative at it */
    bool infeasible;    /* a cycle is negative at the given 2 delta */
    size_t *witness;    /* the last cycle met, as indexes of pairs in order, or NULL */
    size_t nwitness;
};

/* Find the least 2 delta from `least` on; or, if `given`, test that 2 delta. Call mincycle_fini
 * even after a failure. CSY_INPUT if a walk leaves 2^61 ticks. O(pairs) for each of a few passes,
 * at worst as many as vertices. 25 bytes for each vertex. */
csy_status mincycle_find(const struct pairs *pairs, csy_fraction least, bool given,
                         struct mincycle *out, csy_error *error);
void mincycle_fini(struct mincycle *cycle);

/* Set pairs->nvertices potentials for an integer added_ticks without a negative cycle:
 * label[s] + weight + added >= label[t] for all pairs, label <= 0. CSY_INPUT as above. */
csy_status mincycle_labels(const struct pairs *pairs, int64_t added_ticks, int64_t *label,
                           csy_error *error);

#endif
