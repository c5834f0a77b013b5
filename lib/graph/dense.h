/* The dense bounds graph for any order of events: closure[s * n + t] = wbar(s,t), all-pairs
 * shortest walks over the constraints ([BHH08] Def. 5). See graph/closure.h. */
#ifndef GRAPH_DENSE_H
#define GRAPH_DENSE_H

#include "graph/constraints.h"

struct dense {
    size_t n;
    int64_t *closure; /* shortest walks in x (order/rebase.h); WALK_INF: no bound */
};

/* Compute shortest walks over w + added_ticks, with at most nworkers threads. No cycle may be
 * negative. Returns CSY_INPUT if a bound overflows. Time: O(T^3). Memory: 8 T^2 bytes. */
csy_status dense_close(const struct constraints *c, int64_t added_ticks, unsigned nworkers,
                       struct dense *out, csy_error *error);
void dense_fini(struct dense *d);

/* Returns CSY_INPUT if a walk of T edges, with added_ticks on each edge, could overflow. */
csy_status dense_check_range(const struct constraints *c, int64_t added_ticks, csy_error *error);

static inline int64_t dense_bound(const struct dense *d, size_t s, size_t t)
{
    return d->closure[s * d->n + t];
}

#endif
