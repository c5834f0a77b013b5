/* The bounds graph (bounds/bounds.h) as a matrix, for any order of events: closure[s * n + t] is
 * wbar(s,t), the length of the shortest walk from s to t ([BHH08] Def. 5). See graph/closure.h. */
#ifndef GRAPH_DENSE_H
#define GRAPH_DENSE_H

#include "graph/constraints.h"

struct dense {
    size_t n;
    int64_t *closure; /* n * n lengths of shortest walks; WALK_INF stands for no bound */
};

/* Compute the shortest walks with added_ticks on each constraint, in up to nworkers workers. No
 * cycle may be negative. Returns CSY_INPUT on overflow. O(threads^3); memory O(threads^2). */
csy_status dense_close(const struct constraints *c, int64_t added_ticks, unsigned nworkers,
                       struct dense *out, csy_error *error);
void dense_fini(struct dense *d);

/* Returns CSY_INPUT if a walk over T constraints, each with added_ticks, could overflow. */
csy_status dense_check_range(const struct constraints *c, int64_t added_ticks, csy_error *error);

static inline int64_t dense_bound(const struct dense *d, size_t s, size_t t)
{
    return d->closure[s * d->n + t];
}

#endif
