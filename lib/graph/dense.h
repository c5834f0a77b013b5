/* The dense bounds graph: closure[s * n + t] = wbar(s,t), all-pairs shortest walks over the
 * constraints ([BHH08] Def. 5); see graph/closure.h. Works for any order of events. */
#ifndef GRAPH_DENSE_H
#define GRAPH_DENSE_H

#include "graph/constraints.h"

struct dense {
    size_t n;
    int64_t *closure; /* between rough offsets, as the constraints are; WALK_INF: no bound */
};

/* Close w + added_ticks with up to nworkers workers; the result does not depend on their number.
 * The constraints must have no cycle below -added_ticks for each edge (graph/cycle.h). CSY_INPUT if
 * a bound overflows, as with the sweep; slower if sums could overflow. O(T^3), 8 T^2 bytes. */
csy_status dense_close(const struct constraints *c, int64_t added_ticks, unsigned nworkers,
                       struct dense *out, csy_error *error);
void dense_fini(struct dense *d);

/* CSY_INPUT unless no walk of T edges, each raised by added_ticks, can overflow. */
csy_status dense_check_range(const struct constraints *c, int64_t added_ticks, csy_error *error);

static inline int64_t dense_bound(const struct dense *d, size_t s, size_t t)
{
    return d->closure[s * d->n + t];
}

#endif
