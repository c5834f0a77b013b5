/* Least squares: finds offsets g that make neighbouring records as close in time as possible.
 *
 *    minimize  sum (g[t] + x2 - g[s] - x1)^2
 *
 * over all records of s at local time x1 that immediately precede a record of another thread t at
 * x2. The two records are treated as simultaneous, and the time between them as the error. See
 * doc/algorithms.md, Least squares.
 *
 * For each pair of threads, only the number n(s,t) of neighbours and the sum d(s,t) of differences
 * matter. The normal equations are sum_s n(s,t) (g[t] - g[s]) = sum_s d(s,t). They are solved by
 * elimination: eliminating thread t adds a positive weight between any two of its neighbours, so
 * nothing cancels. Threads are eliminated in the order of their last records, because then few
 * threads are neighbours.
 *
 * The elimination uses floating point. The error of the equations is computed exactly, and the
 * correction is solved again until nothing changes. So g is accurate to 2^-LEASTSQ_BITS ticks. */
#ifndef SYNC_METHODS_LEASTSQ_H
#define SYNC_METHODS_LEASTSQ_H

#include "order/sink.h"

enum { LEASTSQ_BITS = 20 };

/* Sums over all pairs of neighbouring records of a thread and an earlier thread. */
struct leastsq_pair {
    uint32_t earlier;
    int64_t n;      /* number of pairs of neighbouring records */
    int128 d_ticks; /* sum over these pairs: time of the earlier thread minus time of this thread */
};

struct leastsq_thread {
    struct leastsq_pair *pairs;
    size_t count, capacity;
};

struct leastsq {
    struct leastsq_thread *threads; /* in the order of their first events */
    size_t count, capacity;
};

void leastsq_init(struct leastsq *l);
void leastsq_fini(struct leastsq *l);

/* Returns functions that add new threads and pairs of records to *l. Least squares makes the two
 * times of each pair as equal as possible. Adding a pair takes time in proportion to the number of
 * threads that have pairs with the later thread. */
struct sink leastsq_sink(struct leastsq *l);

/* Find the least-squares offsets g in whole ticks; g[anchor] is 0. Threads are eliminated in the
 * order `order`, best by last record. Returns CSY_INPUT on overflow. O(T W^2) for T threads with W
 * neighbours each. */
csy_status leastsq_solve(const struct leastsq *l, const uint32_t *order, uint32_t anchor,
                         int64_t *g, csy_error *error);

#endif
