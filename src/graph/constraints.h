/*
 * Events -> the constraints graph of [BHH08].
 *
 *   g[s] - g[t] <= w(s,t),   w(s,t) = min(time(e2) - time(e1))      ([BHH08] eq. (6))
 *
 * over e1 of s standing immediately before e2 of t; or, where stamps are imprecise, over every e1
 * of s before e2 of t (eq. (12); its 2 delta is added later).  No pair: WALK_INF.
 *
 * Stamps are x (graph/rough.h), and w is kept between those.
 *
 * Memory: 8 T^2 bytes, growing with the threads seen.  Beyond `limit` threads nothing is kept any
 * more and events are only counted.
 */
#ifndef GRAPH_CONSTRAINTS_H
#define GRAPH_CONSTRAINTS_H

#include "base/progress.h"
#include "graph/minplus.h"
#include "graph/rough.h"

enum constraint_pairs {
    PAIRS_IMMEDIATE, /* e1 immediately before e2 */
    PAIRS_ALL        /* every e1 before e2 */
};

struct constraint_thread {
    int64_t max_x;
    int64_t *with_earlier; /* for s < t: [2 s] is w(s,t), [2 s + 1] is w(t,s) */
    int64_t with_itself;   /* w(t,t): a step back where it is negative */
    uint32_t newer, older; /* PAIRS_ALL: threads by their latest event */
};

struct constraints {
    const struct progress *progress; /* of relaxing and closing them; may be NULL */
    enum constraint_pairs pairs;
    size_t limit;
    struct constraint_thread *threads;
    size_t count, capacity; /* threads seen, of which the first `limit` are kept */
    bool beyond_limit;
    uint32_t previous; /* thread of the last event */
    int64_t previous_x;
};

void constraints_init(struct constraints *c, enum constraint_pairs pairs, size_t limit);
void constraints_fini(struct constraints *c);

/* Take the next event in buffer order.  Threads are numbered in the order of their first events.
 * O(1); PAIRS_ALL: O(threads that had events since this one's last). */
csy_status constraints_event(struct constraints *c, uint32_t thread, int64_t x, csy_error *error);

/* w(s,t), also for s = t (then WALK_INF or what a pair of its own events says). */
int64_t constraints_weight(const struct constraints *c, size_t s, size_t t);

/* The greatest |w| there is; O(T^2). */
int64_t constraints_largest(const struct constraints *c);

#endif
