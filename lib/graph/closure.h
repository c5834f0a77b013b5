/* Replaces the edges of a graph by the shortest walks (paths) between all vertices.
 *
 *   m[s * n + t]   before: length of the edge from s to t    after: length of the shortest walk
 *                  no edge: WALK_FAR or more                  no walk: WALK_INF
 *
 * There must be no negative cycle, and |edge| (n + 1) < WALK_FAR for every edge; see
 * dense_check_range. */
#ifndef GRAPH_CLOSURE_H
#define GRAPH_CLOSURE_H

#include "base/progress.h"
#include "graph/kernels.h"
#include "graph/minplus.h"

/* Replace the edges in m by the shortest walks, in at most nworkers workers. The result does not
 * depend on their number. `progress` may be NULL. CSY_MEMORY is the only error. Time: O(n^3).
 * Memory: about 2 KiB for each row and 100 KiB for each worker. */
csy_status closure_make(int64_t *m, size_t n, unsigned nworkers, const struct progress *progress,
                        csy_error *error);

/* Like closure_make, in plain loops. |edge| <= 2^60. Returns false if a walk exceeds WALK_MAX. */
bool closure_make_checked(int64_t *m, size_t n);

/* Like closure_make, with this kernel and this block size, a multiple of kernel->leaf. */
csy_status closure_make_by(const struct kernel *kernel, size_t block, int64_t *m, size_t n,
                           unsigned nworkers, const struct progress *progress, csy_error *error);

#endif
