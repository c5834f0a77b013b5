/* Reduces points to pairs of clocks: for each ordered pair of vertices, the one constraint that
 * implies all others.
 *
 * Vertices are the clocks, followed by the hubs. If point p of vertex s precedes point q of vertex
 * t,
 *
 *    g[s] - g[t] <= hi(q) - lo(p) - L(p,q) + 2 delta
 *
 * where L is the greatest sum of latencies on a path from p to q. A pair into a hub has no 2 delta.
 * Offsets that meet all these constraints exist if and only if instants for all points exist: each
 * ordered pair needs 2 delta once, however many hops are in between.
 *
 * Each chain has a list of what precedes its end. A list has, for each vertex u, the greatest lo +
 * latencies of a point of u. A point p of t is visited after all its predecessors. The visit
 * collects the lists of p's chains and of the sources of its edges, makes a pair from each entry,
 * and passes all entries on.
 *
 * Entries that no longer matter are dropped. If i is an earlier point of t and hi(i) <= lo(p) -
 * window, the constraints from i's entries follow from those from p. So with window 0 a list has
 * one entry, and otherwise it has the entries of a recent period. A hub is also dropped if a later
 * hub that knew it implies as much, so lists do not grow with the number of barriers in the window.
 * The pairs are exact for 2 delta <= window.
 *
 * If there are few clocks, hubs need not be vertices. Then the entries of a hub are passed on to
 * its successors, and all pairs are between clocks, however many hubs there are.
 *
 * Limits (clock/points.h) become pairs, too. If q, of clock t, comes at most M after p, of clock s,
 *
 *    g[t] - g[s] <= hi(p) - lo(q) + M + 2 delta
 *
 * which is a pair from q to p with the latency -M. Nothing is passed on along such a pair. */
#ifndef GRAPH_REDUCE_H
#define GRAPH_REDUCE_H

#include "graph/pair_table.h"

struct reduce_window {
    int64_t ticks; /* >= 0 */
    /* for each vertex: greatest rate in units of 1/RATE_UNIT, 0 for hubs; NULL: no drift */
    const uint32_t *rate_ppb;
    bool passes_hubs; /* true: hubs are no vertices, and an edge of a hub costs O(clocks) */
};

/* Most clocks for which hubs are passed and do not become vertices. The second number is for
 * archives without drift that are read again. If clocks drift, two clocks have more pairs than
 * hubs. */
enum { REDUCE_PASSES_HUBS = 32, REDUCE_PASSES_HUBS_AGAIN = 512 };

/* Make the pairs of all points, visited in this order. If clocks drift, two vertices may have
 * several pairs: all that do not follow from another pair (graph/pair_table.h). Pairs are exact for
 * 2 delta (1 + rho) <= ticks (1 - rho), where rho is the greatest rate. Returns CSY_MEMORY for more
 * than PAIRS_MAX pairs, and CSY_INPUT if timestamps and latencies exceed 2^59 ticks. Time for each
 * point and edge: O(1) with window 0, otherwise O(entries). Memory: 24 to 64 bytes for each pair, 4
 * for each point, and the lists. */
csy_status reduce_points(const struct points *points, const uint32_t *order, size_t nclocks,
                         const struct reduce_window *window, struct pairs *out, csy_error *error);

#endif
