/* Points -> pairs of clocks: the one constraint of each ordered pair of vertices that matters.
 *
 * Vertices are the clocks and, after them, the hubs. Points p before q, of vertices s and t, give
 *
 *   g[s] - g[t] <= hi(q) - lo(p) - L(p,q) + 2 delta
 *
 * where L is the greatest sum of latencies on a path. A pair into a hub has no 2 delta. Offsets
 * that meet all of these exist if and only if instants for all points do: each ordered pair needs 2
 * delta once, however many hops are between.
 *
 * Each chain has a list of entries that precede its end: for each vertex u, the greatest lo +
 * latencies of a point of u. A point p of t is visited after all its predecessors. It collects the
 * lists of its chains and of the sources of its edges, makes a pair of each entry, and passes
 * everything on.
 *
 * Entries that cannot matter any more are dropped. An entry of an earlier point i of t follows from
 * p itself if hi(i) <= lo(p) - window; so at window 0 a list has one entry, and otherwise the
 * entries of a recent period. A hub is also dropped if a later hub that knew it implies as much, so
 * that lists do not grow with the barriers in the window. The pairs are exact for 2 delta <=
 * window.
 *
 * If there are few clocks, hubs need not be vertices: the entries of a hub are passed on after it,
 * and all pairs are between clocks, however many hubs there are.
 *
 * Limits (clock/points.h) are pairs, too: if q comes at most M after p, of clocks t and s,
 *
 *   g[t] - g[s] <= hi(p) - lo(q) + M + 2 delta
 *
 * which is a pair from q to p with the latency -M. Nothing is passed on by way of it. */
#ifndef GRAPH_REDUCE_H
#define GRAPH_REDUCE_H

#include "graph/pair_table.h"

/* The pairs of points visited in this order, with hubs as vertices. Of equal constraints,
 * pair_table_add chooses. window >= 0 is in ticks. CSY_MEMORY beyond PAIRS_MAX, with the number;
 * CSY_INPUT if timestamps and latencies exceed 2^59 ticks. O(1) for each point and edge at window
 * 0, otherwise O(entries). 24 to 64 bytes for each pair, 4 for each point, and the lists. */
csy_status reduce_points(const struct points *points, const uint32_t *order, size_t nclocks,
                         int64_t window, struct pairs *out, csy_error *error);

/* If clocks drift, each at a rate within rate_ppb[v] of RATE_UNIT: all pairs that do not follow
 * from another (graph/pair_table.h), several for two vertices. They are exact for 2 delta (1 + rho)
 * <= ticks (1 - rho), where rho is the greatest rate. */
struct reduce_window {
    int64_t ticks;
    const uint32_t *rate_ppb; /* by vertex, 0 for hubs; NULL: clocks do not drift */
    bool passes_hubs;         /* hubs are not vertices; an edge of a hub costs O(clocks) */
};

/* Up to this many clocks, hubs are passed; the second limit is for archives without drift that are
 * read again. With drift, more pairs of two clocks matter than hubs have. */
enum { REDUCE_PASSES_HUBS = 32, REDUCE_PASSES_HUBS_AGAIN = 512 };

csy_status reduce_drifting(const struct points *points, const uint32_t *order, size_t nclocks,
                           const struct reduce_window *window, struct pairs *out, csy_error *error);

#endif
