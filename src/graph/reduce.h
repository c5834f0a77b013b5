/*
 * Points -> pairs of clocks: of each ordered pair of vertices the one constraint that matters.
 *
 * A vertex is a clock, or after all clocks a hub.  Points p before q, of vertices s and t, say
 *
 *   g[s] - g[t] <= hi(q) - lo(p) - L(p,q) + 2 delta
 *
 * L being the greatest sum of latencies on the way; a pair into a hub has no 2 delta.  Offsets that
 * keep all of these exist exactly if instants of all points do: each ordered pair deserves 2 delta
 * once, however many hops lie between.
 *
 * Each chain has a list of what is known to be before its end: of each vertex u the greatest lo +
 * latencies of a point of u.  A point p of t, visited after all before it, gathers the lists of its
 * chains and what the sources of edges to it knew, makes a pair of each entry, and hands it all on.
 * Entries that no more can matter are dropped: what was known at an earlier point i of t follows
 * from p itself if hi(i) <= lo(p) - window; so at window 0 a list has one entry, and with any
 * window those of the last while.  A hub is dropped, too, where a later one that knew it says as
 * much of it, so that lists do not grow with barriers in the window.  What follows from the pairs
 * is exact for 2 delta <= window.
 *
 * Where clocks are few, hubs need not be vertices: what is known at one is known after it, and
 * pairs are of clocks only, however many hubs there are.
 */
#ifndef GRAPH_REDUCE_H
#define GRAPH_REDUCE_H

#include "graph/pair_table.h"

/* The pairs of points that are visited in this order, hubs being vertices.  Of equal constraints
 * that is kept which pair_table_add keeps.  window: >= 0, in ticks.  CSY_MEMORY beyond PAIRS_MAX,
 * with how many; CSY_INPUT where stamps and latencies leave 2^59 ticks.  O(1) a point and edge at
 * window 0; else O(entries).  24 to 64 bytes a pair, 4 a point, and what lists hold. */
csy_status reduce_points(const struct points *points, const uint32_t *order, size_t nclocks,
                         int64_t window, struct pairs *out, csy_error *error);

/* Where clocks drift, each at a rate within rate_ppb[v] of RATE_UNIT: all pairs that do not follow
 * from another (graph/pair_table.h), several of two vertices.  They are exact for 2 delta (1 + rho)
 * <= ticks (1 - rho), rho being the greatest rate. */
struct reduce_window {
    int64_t ticks;
    const uint32_t *rate_ppb; /* by vertex, of hubs 0; NULL: clocks do not drift */
    bool passes_hubs;         /* these are no vertices; O(clocks) an edge of them then */
};

/* With so many clocks at most hubs are passed; of an archive, which is gone over again, with so
 * many where clocks do not drift: where they do, more pairs of two clocks matter than hubs have. */
enum { REDUCE_PASSES_HUBS = 32, REDUCE_PASSES_HUBS_AGAIN = 512 };

csy_status reduce_drifting(const struct points *points, const uint32_t *order, size_t nclocks,
                           const struct reduce_window *window, struct pairs *out, csy_error *error);

#endif
