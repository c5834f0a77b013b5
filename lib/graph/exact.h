/* Finds the least timestamp error delta without contradictions between constraints, as an exact
 * fraction, in one pass or a few over the events of a buffer. Or tests a given delta. Every two
 * events make a constraint. The result includes a witness: constraints that contradict each other
 * at any lower delta. See doc/algorithms.md, The least delta, and graph/sweep.h.
 *
 * Constraints are the edges of a graph; the code calls a path a walk. A walk has a weight, and a
 * count of its edges; 2 delta is added to each edge. Lengths are compared in 128-bit integers at
 * the present 2 delta = p/q. If a walk from a thread to itself is negative, the worst cycle in it
 * raises 2 delta to -weight / count, so that its length is 0. If a whole pass has not raised
 * 2 delta, the result is proved.
 *
 * A live thread has begun and is not eliminated (removed from the graph). After its last event, it
 * is eliminated at once if few threads are live, otherwise when another thread begins. At the end,
 * cycles are searched among the remaining threads, which takes less time than eliminations.
 *
 * Memory: 20 bytes for each of W^2 entries if W threads are live at once, 20 bytes for each live
 * thread at an elimination, and 48 bytes for each record on a stored walk. */
#ifndef GRAPH_EXACT_H
#define GRAPH_EXACT_H

#include "order/sink.h"

struct exact {
    csy_fraction twice;   /* present value of 2 delta (twice the timestamp error), in ticks */
    bool raises;          /* true to search for the least 2 delta, false to test `twice` only */
    size_t expected;      /* expected number of threads that are live at once, or 0 if unknown */
    size_t eager_max;     /* If more threads than this are live, a thread that has ended is not
                           * eliminated before another thread begins. */
    bool raised;          /* true if the present pass has found a contradiction (a negative
                           * cycle) */
    bool over;            /* true if the present pass needs no more events, because it has found a
                           * contradiction */
    struct edge *witness; /* constraints of the last negative cycle found, in order */
    size_t nwitness;
    struct exact_matrix *matrix;
};

/* Set up a search for the least 2 delta without contradictions, from `twice` on. If `raises` is
 * false, only `twice` is tested. */
void exact_init(struct exact *exact, csy_fraction twice, bool raises);
void exact_fini(struct exact *exact);

/* Begin a pass over all events with the present `twice`. If more than live_max threads are live at
 * once, this pass fails with CSY_MEMORY. */
csy_status exact_begin(struct exact *exact, size_t live_max, csy_error *error);

/* Process the next event, the end of a thread, or the end of the trace. `engine` is a struct exact.
 * With W live threads (see above), an event takes O(W) time, and the end of a thread O(W^2). */
csy_status exact_event(void *engine, const struct point *event, csy_error *error);
csy_status exact_ended(void *engine, uint32_t thread, csy_error *error);
csy_status exact_finish(struct exact *exact, csy_error *error);

/* Returns a sink (order/sink.h) that passes events to `exact`. */
struct sink exact_sink(struct exact *exact);

/* --- Paths ("walks") as arrays of edges, each from a record to a later one of any thread --- */

/* Find the cycle of constraints that requires the greatest timestamp error, among the cycles in a
 * closed path of n edges that visit each thread at most once. Move its edges to the front of
 * `edges`, and set *length to their number. Time: O(n log n). */
csy_status walk_worst_cycle(struct edge *edges, size_t n, size_t *length, csy_error *error);

int128 walk_weight(const struct edge *edges, size_t n);

#endif
