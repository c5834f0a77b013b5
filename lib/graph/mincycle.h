/* Finds the least delta of pairs (graph/reduce.h) exactly. 2 delta is the maximum of -weight /
 * count over all cycles of pairs. count is the number of pairs in the cycle that lead to a clock,
 * at least one.
 *
 * A label is (weight, count) of a walk that may begin anywhere. Labels are compared at the present
 * 2 delta = p/q in 128 bits. Passes lower labels along the pairs whose source has changed. If there
 * is a cycle of parents after a pass, it is negative: it raises 2 delta, and the labels are reset.
 * A pass that lowers no label proves the result. */
#ifndef GRAPH_MINCYCLE_H
#define GRAPH_MINCYCLE_H

#include "graph/reduce.h"

struct mincycle {
    csy_fraction twice; /* 2 delta found; no cycle is negative there */
    bool infeasible;    /* true if a cycle is negative at the given 2 delta */
    size_t *witness;    /* the indexes of the pairs of the last cycle found, in order; or NULL */
    size_t nwitness;
};

/* Find the least 2 delta from `least` on, or test only `least` if `given` is true. Call
 * mincycle_fini even after a failure. Returns CSY_INPUT if a walk exceeds 2^61 ticks. Time:
 * O(pairs) for each of a few passes, at worst as many as vertices. Memory: 25 bytes for each
 * vertex. */
csy_status mincycle_find(const struct pairs *pairs, csy_fraction least, bool given,
                         struct mincycle *out, csy_error *error);
void mincycle_fini(struct mincycle *cycle);

/* Find potentials: labels <= 0 with label[s] + weight + added_ticks >= label[t] for all pairs. With
 * added_ticks, no cycle may be negative. Returns the same errors as mincycle_find. */
csy_status mincycle_labels(const struct pairs *pairs, int64_t added_ticks, int64_t *label,
                           csy_error *error);

#endif
