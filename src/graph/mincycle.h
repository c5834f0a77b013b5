/*
 * The least delta of pairs (graph/reduce.h), exactly: 2 delta = the greatest of -weight / count
 * over their cycles, count being the pairs that lead to a clock, of which each cycle has one at
 * least.
 *
 * Labels are (weight, count) of walks from nowhere, compared at the present 2 delta = p/q in 128
 * bits; passes lower them along the pairs whose source has changed.  After each pass the walks are
 * followed back, and a cycle of them, which is negative, raises 2 delta; labels begin again.  A
 * pass that lowers nothing certifies.
 */
#ifndef GRAPH_MINCYCLE_H
#define GRAPH_MINCYCLE_H

#include "graph/reduce.h"

struct mincycle {
    csy_fraction twice; /* 2 delta: at which no cycle is negative */
    bool infeasible;    /* there was one at the 2 delta given, which had to stay */
    size_t *witness;    /* the cycle that was met last, as indexes of pairs in its order; or NULL */
    size_t nwitness;
};

/* Find the least 2 delta from `least` on; or, where it is given, only whether that is enough.  The
 * caller calls mincycle_fini even after a failure.  CSY_INPUT where a walk leaves 2^61 ticks.
 * O(pairs) a pass, a few of them; vertices of them at worst.  25 bytes a vertex. */
csy_status mincycle_find(const struct pairs *pairs, csy_fraction least, bool given,
                         struct mincycle *out, csy_error *error);
void mincycle_fini(struct mincycle *cycle);

/* Potentials at added_ticks, an integer at which no cycle is negative: label[s] + weight + added >=
 * label[t] for all pairs, label <= 0.  pairs->nvertices of them, in label.  CSY_INPUT as above. */
csy_status mincycle_labels(const struct pairs *pairs, int64_t added_ticks, int64_t *label,
                           csy_error *error);

#endif
