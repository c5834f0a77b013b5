/*
 * The bounds graph, dense: closure[s * n + t] = wbar(s,t), all-pairs shortest paths of the
 * constraints ([BHH08] Def. 5), see graph/closure.h.  Serves any order of events.
 */
#ifndef GRAPH_DENSE_H
#define GRAPH_DENSE_H

#include "graph/constraints.h"

struct dense {
    size_t n;
    int64_t *closure; /* between rough offsets, as the constraints; WALK_INF: no bound */
};

/* Close w + added_ticks in up to nworkers workers; the result is the same for any number.  The
 * constraints must have no cycle below -added_ticks an edge: see graph/cycle.h.  CSY_INPUT where a
 * bound leaves the range of the arithmetic, as with the sweep; slower where sums could.  O(T^3),
 * 8 T^2 bytes. */
csy_status dense_close(const struct constraints *c, int64_t added_ticks, unsigned nworkers,
                       struct dense *out, csy_error *error);
void dense_fini(struct dense *d);

/* CSY_INPUT unless any walk of T edges, each raised by added_ticks, has room in the arithmetic. */
csy_status dense_check_range(const struct constraints *c, int64_t added_ticks, csy_error *error);

static inline int64_t dense_bound(const struct dense *d, size_t s, size_t t)
{
    return d->closure[s * d->n + t];
}

#endif
