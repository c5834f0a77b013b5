/* Builds the constraints graph of [BHH08] from pairs of records.
 *
 *    g[s] - g[t] <= w(s,t),   w(s,t) = min(time(e2) - time(e1))      ([BHH08] eq. (6))
 *
 * The minimum is over the pairs of an event e1 of s and an event e2 of t that the order provides
 * (order/sink.h). These are neighbours or, if timestamps are imprecise, every e1 before e2 (eq.
 * (12); its 2 delta is added later). Without such a pair, w is WALK_INF. Times are x
 * (order/rebase.h).
 *
 * Memory: 8 T^2 bytes, growing with the threads so far. With more than `limit` threads, no more
 * constraints are stored, and threads are only counted. */
#ifndef GRAPH_CONSTRAINTS_H
#define GRAPH_CONSTRAINTS_H

#include "base/progress.h"
#include "graph/minplus.h"
#include "order/sink.h"

struct constraint_thread {
    int64_t *with_earlier; /* [2 s] is w(s,t) and [2 s + 1] is w(t,s), for s < t */
    int64_t with_itself;   /* the constraint w(t,t); negative if the thread stepped back */
};

struct constraints {
    const struct progress *progress; /* for relaxation and closure; may be NULL */
    size_t limit;
    struct constraint_thread *threads;
    size_t count, capacity; /* number of threads so far; only the first `limit` are stored */
    bool beyond_limit;
};

void constraints_init(struct constraints *c, size_t limit);
void constraints_fini(struct constraints *c);

/* Add a thread. */
csy_status constraints_birth(struct constraints *c, csy_error *error);

/* Returns a sink for births and pairs. The sink is over after more than `limit` births. */
struct sink constraints_sink(struct constraints *c);

/* Returns w(s,t), the minimum over all pairs of threads s and t, or WALK_INF. s and t may be
 * equal. */
int64_t constraints_weight(const struct constraints *c, size_t s, size_t t);

/* Returns the greatest |w| of all finite constraints. Time: O(T^2). */
int64_t constraints_largest(const struct constraints *c);

#endif
