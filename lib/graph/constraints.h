/* Builds the constraints graph of [BHH08]: upper limits w(s,t) for the difference of the offsets g
 * of any two threads.
 *
 *    g[s] - g[t] <= w(s,t),   w(s,t) = min(time(e2) - time(e1))      ([BHH08] eq. (6))
 *
 * The minimum is over pairs of an event e1 of s and a later event e2 of t, which the caller
 * provides (order/sink.h). These are neighbouring events or, if timestamps are imprecise, any two
 * events (eq. (12)). Twice the timestamp error, 2 delta, is added later. Times are relative to
 * rough offsets (order/rebase.h). If there is no pair, w is WALK_INF.
 *
 * Memory: 8 T^2 bytes for T threads. After more than `limit` threads, threads are only counted. */
#ifndef GRAPH_CONSTRAINTS_H
#define GRAPH_CONSTRAINTS_H

#include "base/progress.h"
#include "graph/minplus.h"
#include "order/sink.h"

struct constraint_thread {
    int64_t *with_earlier; /* constraints between this thread t and each earlier thread s: w(s,t) at
                            * index 2 s, and w(t,s) at index 2 s + 1 */
    int64_t with_itself;   /* negative if the thread's time goes back */
};

struct constraints {
    const struct progress *progress; /* receives reports of progress; may be NULL */
    size_t limit;
    struct constraint_thread *threads;
    size_t count, capacity; /* number of threads; only the first `limit` have elements */
    bool beyond_limit;
};

void constraints_init(struct constraints *c, size_t limit);
void constraints_fini(struct constraints *c);

/* Add a thread, numbered after all others. It has no constraints yet. */
csy_status constraints_birth(struct constraints *c, csy_error *error);

/* Returns a sink (order/sink.h) that stores the constraints. The flag sink.over becomes true if
 * there are more than `limit` threads. */
struct sink constraints_sink(struct constraints *c);

/* Returns the constraint w(s,t), which the head of this file defines, or WALK_INF if there is none.
 * s and t may be equal. */
int64_t constraints_weight(const struct constraints *c, size_t s, size_t t);

/* Returns the greatest |w(s,t)| of all constraints. */
int64_t constraints_largest(const struct constraints *c);

/* A cycle threads[0] -> threads[1] -> ... -> threads[0] without repeated threads, or length 0. */
struct cycle {
    size_t length;
    uint32_t *threads;
};

/* Find contradictory constraints: a cycle of threads along which the sum of w(s,t) + `added` is
 * negative. Offsets that meet all constraints exist if and only if there is no such cycle. `added`
 * must be >= 0. w(t,t) is used only if with_itself is true. The same input always gives the same
 * cycle. The caller calls cycle_fini. Time: O(threads^2) for each pass; usually few passes. */
csy_status cycle_find(const struct constraints *c, csy_fraction added, bool with_itself,
                      struct cycle *out, csy_error *error);
void cycle_fini(struct cycle *cycle);

/* Find a cycle in `parents`, where UINT32_MAX is no parent. Stores it in `cycle`, each vertex after
 * its parent, and returns its length, or 0. `cycle` and `seen` have room for n vertices. */
size_t cycle_of_parents(const uint32_t *parents, size_t n, uint32_t *seen, uint32_t *cycle);

/* Find how many ticks must be added to every constraint until none contradict each other: twice the
 * delta of [BHH08] section 4, exactly. The Floyd-Warshall algorithm runs on the constraints between
 * neighbouring events. If an entry of the diagonal is negative after a phase, the least such entry
 * is the sum -d of a cycle. Then d/2 is added to every constraint, and all phases are repeated. See
 * doc/algorithms.md, Paper mode.
 *
 * Returns CSY_INPUT if the denominator, which each step may double, exceeds 64 bits. Time:
 * O(threads^3) for each step, and a single step if nothing must be added. Memory: 16 bytes for
 * every two threads. */
csy_status paper_relax(const struct constraints *c, csy_fraction *added, csy_error *error);

/* The constraints as a matrix, for any order of events. closure[s * n + t] is the length of the
 * shortest walk from thread s to thread t, called wbar(s,t) in [BHH08] Def. 5. See
 * graph/closure.h. */
struct dense {
    size_t n;
    int64_t *closure; /* n * n lengths of shortest paths; WALK_INF if there is no path */
};

/* Compute the shortest walks with added_ticks on each constraint, in up to nworkers workers. No
 * cycle may be negative. Returns CSY_INPUT on overflow. O(threads^3); memory O(threads^2). */
csy_status dense_close(const struct constraints *c, int64_t added_ticks, unsigned nworkers,
                       struct dense *out, csy_error *error);
void dense_fini(struct dense *d);

/* Returns CSY_INPUT if the length of a path could overflow when added_ticks is added to each
 * constraint. The number of constraints in the path is the number of threads. */
csy_status dense_check_range(const struct constraints *c, int64_t added_ticks, csy_error *error);

static inline int64_t dense_bound(const struct dense *d, size_t s, size_t t)
{
    return d->closure[s * d->n + t];
}

#endif
