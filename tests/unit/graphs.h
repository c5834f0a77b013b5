/* Graphs of constraints for tests: with given or random weights, or from random events. */
#ifndef UNIT_GRAPHS_H
#define UNIT_GRAPHS_H

#include "graph/constraints.h"
#include "order/line.h"
#include "support.h"

enum { THREADS_MAX = 40, EVENTS_MAX = 600 };

/* Returns a graph of n threads without edges. The caller frees it with constraints_fini. */
struct constraints graph_new(size_t n);
void graph_set(struct constraints *c, size_t s, size_t t, int64_t weight);

/* Returns a random graph of 2 to nmax threads. Each edge exists with a chance of `percent` percent,
 * and has a weight from least to greatest. */
struct constraints graph_draw(struct random *r, size_t nmax, int percent, int64_t least,
                              int64_t greatest);

/* Events in the order of one buffer. Threads are numbered by their first events. */
struct events {
    size_t n, nthreads;
    uint32_t thread[EVENTS_MAX];
    int64_t local[EVENTS_MAX];
    int64_t x[EVENTS_MAX]; /* local + rough, as in order/rebase.h */
    int64_t rough[THREADS_MAX];
    int64_t offset[THREADS_MAX]; /* true offset: global time = local + offset, except for jitter */
};

/* Draw events of clocks with very different offsets. Timestamps have errors of at most `jitter`
 * ticks. */
void events_draw(struct random *r, struct events *e, int64_t jitter);

/* Compute x and rough from the other members. */
void events_place(struct events *e);

/* Pass the constraints of the events to the sink, for events in one buffer. */
void feed_line(const struct events *e, const struct sink *sink, enum line_pairs pairs,
               int64_t added_ticks);

/* Returns the graph of the constraints between the events. */
struct constraints graph_of(const struct events *e, enum line_pairs pairs);

/* Compute out[s * n + t], the least weight of a path from s to t after `added` is added to each
 * edge, or WALK_INF. Edges from a thread to itself do not count. Returns false if a cycle is
 * negative. Uses the Bellman-Ford algorithm. */
bool shortest_walks(const struct constraints *c, int64_t added, int64_t *out);

/* Compute the least mean weight of a cycle, by Karp's algorithm. Returns false if there is no
 * cycle. If with_itself, edges from a thread to itself also count as cycles. */
bool least_cycle_mean(const struct constraints *c, bool with_itself, csy_fraction *out);

#endif
