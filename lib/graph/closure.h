/* All-pairs shortest walks, in place.
 *
 *   m[s * n + t]   before: weight of the edge from s to t    after: weight of the shortest walk
 *                  unreached: WALK_FAR or more               unreached: WALK_INF
 *
 * There must be no negative cycle, and |edge| (n + 1) < WALK_FAR for every edge; see
 * dense_check_range. */
#ifndef GRAPH_CLOSURE_H
#define GRAPH_CLOSURE_H

#include "base/progress.h"
#include "graph/kernels.h"
#include "graph/minplus.h"

/* Replace edges by shortest walks, with at most nworkers threads. The result does not depend on
 * their number. `progress` may be NULL. CSY_MEMORY is the only error. Time: O(n^3). Memory: about 2
 * KiB for each row and 100 KiB for each thread. */
csy_status closure_make(int64_t *m, size_t n, unsigned nworkers, const struct progress *progress,
                        csy_error *error);

/* Like closure_make, in plain loops, if |edge| <= 2^60. Returns false if a walk exceeds
 * WALK_MAX. */
bool closure_make_checked(int64_t *m, size_t n);

/* Like closure_make, with this kernel. `block` is a multiple of the member `leaf` of the kernel. */
csy_status closure_make_by(const struct kernel *kernel, size_t block, int64_t *m, size_t n,
                           unsigned nworkers, const struct progress *progress, csy_error *error);

#endif
