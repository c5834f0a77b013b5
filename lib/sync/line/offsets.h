/*
 * Bounds -> one offset a thread, [BHH08] eq. (9), floored; threads unbounded on one side are placed
 * after or before the rest.  cellsync-model(7), Integers and Unbounded pairs.
 */
#ifndef SYNC_LINE_OFFSETS_H
#define SYNC_LINE_OFFSETS_H

#include "bounds/bounds.h"

/* Where offsets lie: in their bounds to tau, where alpha puts them, and from there, where order is
 * not NULL, moved locally; order: see center_locally. */
struct offsets_rule {
    size_t tau;
    csy_fraction alpha;
    const uint32_t *order;
    unsigned workers;
};

/* g[t] relative to g[tau] = 0, between x: n of them, in g.  from[t] = wbar(tau,t) and to[t] =
 * wbar(t,tau) are given out too.  Threads outside tau's two-way component are counted in
 * *unbounded.  CSY_INPUT where a thread is unbounded both ways.  O(T W) with a sweep, O(T^2)
 * dense. */
csy_status offsets_place(const struct bounds *b, const struct offsets_rule *rule, int64_t *g,
                         int64_t *from, int64_t *to, size_t *unbounded, csy_error *error);

#endif
