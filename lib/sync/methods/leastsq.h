/* Fits by least squares: finds offsets that make neighbouring records as close as possible.
 *
 *    minimize  sum (g[t] + x2 - g[s] - x1)^2
 *
 * over all records of s at x1 that immediately precede a record of another thread t at x2. Each
 * record is taken as a reading of its clock at the time of its neighbour, and the time between the
 * two records is the error. See doc/algorithms.md, Least squares.
 *
 * For each pair of threads, only the number of neighbours and the sum of differences matter. The
 * normal equations are sum_s n(s,t) (g[t] - g[s]) = sum_s d(s,t). Their matrix is the Laplacian of
 * a graph. Eliminating thread t joins its neighbours with each other (the star-mesh transform).
 * Only positive numbers are added, so nothing cancels. Threads are eliminated in the order of their
 * last records, so that neighbours are threads that were live at the same time.
 *
 * The elimination uses floating point. The residual is computed exactly and solved again until
 * nothing changes, so g is accurate to 2^-LEASTSQ_BITS ticks in spite of rounding. */
#ifndef SYNC_METHODS_LEASTSQ_H
#define SYNC_METHODS_LEASTSQ_H

#include "order/sink.h"

enum { LEASTSQ_BITS = 20 };

/* Sums over all neighbouring records of a thread and an earlier thread. */
struct leastsq_pair {
    uint32_t earlier;
    int64_t n;      /* number of neighbouring records */
    int128 d_ticks; /* sum of x of the earlier thread minus x of this thread */
};

struct leastsq_thread {
    struct leastsq_pair *pairs;
    size_t count, capacity;
};

struct leastsq {
    struct leastsq_thread *threads; /* threads in the order of their first events */
    size_t count, capacity;
};

void leastsq_init(struct leastsq *l);
void leastsq_fini(struct leastsq *l);

/* Returns a sink for births and pairs, which are neighbours (LINE_NEIGHBOURS) or matched records. A
 * pair takes O(threads that were neighbours of the later thread). */
struct sink leastsq_sink(struct leastsq *l);

/* Find the minimum with g[anchor] = 0, in whole ticks. Halves are rounded up. The array `order`
 * contains all threads, best sorted by their last records. Returns CSY_INPUT if numbers exceed
 * their types. The elimination takes O(T W^2) for W neighbours of a thread. */
csy_status leastsq_solve(const struct leastsq *l, const uint32_t *order, uint32_t anchor,
                         int64_t *g, csy_error *error);

#endif
