/*
 * Least squares: offsets that bring neighbouring records as close together as squares can tell.
 *
 *   minimize  sum (g[t] + x2 - g[s] - x1)^2
 *
 * over all e1 of s at x1 that immediately precede an e2 of another thread t at x2.  That takes
 * each record for a reading of its clock at the instant of its neighbour; what passed between the
 * two is the error.  cellsync-model(7), Least squares.
 *
 * Of each pair of threads only the number of its neighbours and the sum of their differences
 * matter: the normal equations are  sum_s n(s,t) (g[t] - g[s]) = sum_s d(s,t).  Their matrix is a
 * graph's Laplacian.  Eliminating thread t joins its neighbours with one another (the star-mesh
 * transform), by sums of positive numbers only, so that nothing cancels.  Threads go in the order
 * of their last records, which keeps these neighbours to those live at that time.
 *
 * The elimination is done in floating point, and what it leaves of the equations, computed exactly,
 * is solved again until nothing changes: g is right to 2^-LEASTSQ_BITS ticks whatever was rounded
 * on the way.
 */
#ifndef SYNC_METHODS_LEASTSQ_H
#define SYNC_METHODS_LEASTSQ_H

#include "order/sink.h"

enum { LEASTSQ_BITS = 20 };

/* What a thread and an earlier one say of each other. */
struct leastsq_pair {
    uint32_t earlier;
    int64_t n;      /* how often they are neighbours */
    int128 d_ticks; /* sum of x(earlier) - x(thread) */
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

/* Takes births and pairs, LINE_NEIGHBOURS or matched ones.  A pair: O(threads that the later of the
 * two has been neighbour of). */
struct sink leastsq_sink(struct leastsq *l);

/* The minimum, with g[anchor] = 0, in whole ticks, halves up.  order has all threads, best by their
 * last records.  CSY_INPUT where numbers leave their types.  O(T W^2) for W neighbours while
 * eliminating. */
csy_status leastsq_solve(const struct leastsq *l, const uint32_t *order, uint32_t anchor,
                         int64_t *g, csy_error *error);

#endif
