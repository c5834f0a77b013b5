/* Constraints graphs for tests: any weights at all, and random events of random clocks. */
#ifndef UNIT_GRAPHS_H
#define UNIT_GRAPHS_H

#include "graph/constraints.h"
#include "order/line.h"
#include "support.h"

enum { THREADS_MAX = 40, EVENTS_MAX = 600 };

/* A graph of n threads without any edge; constraints_fini frees it. */
struct constraints graph_new(size_t n);
void graph_set(struct constraints *c, size_t s, size_t t, int64_t weight);

/* A graph of 2 to nmax threads; each edge is there in `percent` of the cases, of least to
 * greatest. */
struct constraints graph_draw(struct random *r, size_t nmax, int percent, int64_t least,
                              int64_t greatest);

/* Events in buffer order, threads numbered as they come. */
struct events {
    size_t n, nthreads;
    uint32_t thread[EVENTS_MAX];
    int64_t local[EVENTS_MAX];
    int64_t x[EVENTS_MAX]; /* local + rough, as order/rebase.h has it */
    int64_t rough[THREADS_MAX];
    int64_t offset[THREADS_MAX]; /* true: global time = local + offset, but for the jitter */
};

/* Clocks far apart that all tell the truth to within +-jitter ticks. */
void events_draw(struct random *r, struct events *e, int64_t jitter);

/* Fill x and rough from the rest. */
void events_place(struct events *e);

/* Feed the engine with the events as the order of one buffer. */
void feed_line(const struct events *e, const struct sink *sink, enum line_pairs pairs,
               int64_t added_ticks);

/* The graph of some events. */
struct constraints graph_of(const struct events *e, enum line_pairs pairs);

/* Shortest walks between all pairs of threads over edges raised by `added`: out[s * n + t], or
 * WALK_INF.  Edges from a thread to itself are left out.  False where a cycle is negative.  By
 * Bellman and Ford from every thread. */
bool shortest_walks(const struct constraints *c, int64_t added, int64_t *out);

/* The least mean weight of any cycle, by Karp's algorithm; false where there is no cycle.  A
 * loop from a thread to itself counts where with_itself is set. */
bool least_cycle_mean(const struct constraints *c, bool with_itself, csy_fraction *out);

#endif
