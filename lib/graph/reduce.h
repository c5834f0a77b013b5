/* Reduces the order of points (clock/points.h) to constraints between pairs of clocks: for each two
 * vertices, the one constraint that implies all others.
 *
 * Vertices are the clocks, followed by the hubs. A hub stands for a group of points: each point
 * that enters the hub precedes each point that leaves it. If point p of vertex s precedes point q
 * of vertex t, the offsets g must meet
 *
 *    g[s] - g[t] <= hi(q) - lo(p) - L(p,q) + 2 delta
 *
 * where lo and hi are the earliest and latest time of a point, L is the greatest sum of latencies
 * on a path from p to q, and delta is the timestamp error. 2 delta is left out if t is a hub.
 *
 * Each chain has a list of what precedes its end. For each vertex u, the list has the greatest lo
 * plus latencies of a point of u. A point p is visited after all its predecessors. The visit
 * collects the lists of p's chains and of the points with edges to p. It makes a pair from each
 * entry, and passes all entries on.
 *
 * Entries that no longer matter are dropped. Let i be an earlier point of the same vertex as p. If
 * hi(i) <= lo(p) - window, the constraints from i follow from those from p. So with window 0 a list
 * has one entry, and otherwise it has the entries of a recent period. A hub is also dropped if a
 * later hub implies as much. The pairs are exact for 2 delta <= window.
 *
 * If there are few clocks, hubs are not vertices. Then what precedes a hub is passed on to its
 * successors, and all pairs are between clocks.
 *
 * Limits (clock/points.h) also become pairs. If point q of clock t comes at most M after point p of
 * clock s,
 *
 *    g[t] - g[s] <= hi(p) - lo(q) + M + 2 delta
 *
 * which is a pair from q to p with the latency -M. Nothing is passed on along such a pair. */
#ifndef GRAPH_REDUCE_H
#define GRAPH_REDUCE_H

#include "graph/pair_table.h"

struct reduce_window {
    int64_t ticks; /* length of the window (see above), at least 0 */
    /* greatest drift rate of each vertex in 1/RATE_UNIT, 0 for hubs; NULL if clocks do not drift */
    const uint32_t *rate_ppb;
    bool passes_hubs; /* true if hubs are not vertices (see above); each edge from a hub then takes
                       * O(clocks) time */
};

/* Greatest numbers of clocks for which passes_hubs is set. REDUCE_PASSES_HUBS_AGAIN is for an
 * archive that is read a second time, without drift. */
enum { REDUCE_PASSES_HUBS = 32, REDUCE_PASSES_HUBS_AGAIN = 512 };

/* Compute the constraints between vertices that follow from the order of the points. `order` lists
 * each point after all points that precede it. If clocks drift, two vertices may have several
 * constraints, and none of them implies another (graph/pair_table.h). The result is exact for
 * timestamp errors delta with 2 delta (1 + rho) <= window->ticks (1 - rho), where rho is the
 * greatest drift rate.
 *
 * Returns CSY_MEMORY for more than PAIRS_MAX pairs, and CSY_INPUT if timestamps and latencies
 * exceed 2^59 ticks. Time for each point and edge: O(1) if window->ticks is 0, otherwise O(entries
 * of the lists). Memory: 24 to 64 bytes for each pair, 4 for each point, and the lists. */
csy_status reduce_points(const struct points *points, const uint32_t *order, size_t nclocks,
                         const struct reduce_window *window, struct pairs *out, csy_error *error);

/* --- The same constraints, computed while the points arrive ---
 *
 * Points arrive one by one, each after all points that precede it. Each location and each buffer
 * has a sequence of points. Further edges lead from one point to another. Points that are no longer
 * needed are removed. The constraints do not depend on the order of arrival. */

struct age_matrix;
struct reduce_stream;

/* Begin to compute constraints between clocks. `points` is emptied, and then stores the points that
 * are still needed. `points` and the arrays of *window must outlive the stream. If `ages` is not
 * NULL, it gets the constraints, and reduce_stream_collect gets none. */
csy_status reduce_stream_new(struct points *points, size_t nlocations, size_t nclocks,
                             const struct reduce_window *window, struct age_matrix *ages,
                             struct reduce_stream **out, csy_error *error);
void reduce_stream_free(struct reduce_stream *stream);

/* Make room for more clocks and buffers. rate_ppb has the greatest drift rate of each clock, or is
 * NULL if clocks do not drift. Only if reduce_stream_new was called with passes_hubs in *window. */
csy_status reduce_stream_grow(struct reduce_stream *stream, size_t nclocks, size_t nbuffers,
                              const uint32_t *rate_ppb, csy_error *error);

/* Used if the latest time `hi` of a flush (the write of a block of records) becomes known only at a
 * much later record. Call reduce_stream_places to get the `place` of the flush, then add the flush
 * without `hi`. When you read the later record, add it with an edge from the flush, but to no
 * location and no buffer. Then call reduce_stream_set_hi. */
uint32_t reduce_stream_places(const struct reduce_stream *stream, uint32_t buffer);
void reduce_stream_set_hi(struct reduce_stream *stream, uint32_t buffer, uint32_t clock,
                          uint32_t place, int64_t hi);

/* A point to be added. `edges` are the n edges from earlier points to it, and `leaves` is the
 * number of edges from it to later points. If you do not know this number, set REDUCE_STREAM_SOME,
 * and call reduce_stream_release after the last of these edges. reduce_stream_add sets *out to the
 * number of the point, which is valid until reduce_stream_remove is called. */
#define REDUCE_STREAM_SOME UINT32_MAX

struct reduce_stream_point {
    const struct instant *instant;
    uint32_t leaves;
    const struct order_edge *edges;
    size_t n;
};
csy_status reduce_stream_add(struct reduce_stream *stream, const struct reduce_stream_point *point,
                             uint32_t *out, csy_error *error);
void reduce_stream_release(struct reduce_stream *stream, uint32_t point);

/* When reduce_stream_is_full returns true, remove points that are no longer needed. First call
 * reduce_stream_marks: it returns an array with an element for each point, or NULL if memory runs
 * out. Set the elements of sends that still wait for their receives to 1. Then reduce_stream_remove
 * stores the new number of each kept point in the array. Free the array. */
bool reduce_stream_is_full(const struct reduce_stream *stream);
uint32_t *reduce_stream_marks(const struct reduce_stream *stream);
void reduce_stream_remove(struct reduce_stream *stream, uint32_t *marks);

/* Call this after the last point to get all constraints between clocks. Removes the points where no
 * constraint begins or ends. */
csy_status reduce_stream_collect(struct reduce_stream *stream, struct pairs *out, csy_error *error);

#endif
