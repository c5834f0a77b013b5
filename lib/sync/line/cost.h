/* Estimates the time and memory of engines from the first and last records of threads. */
#ifndef SYNC_LINE_COST_H
#define SYNC_LINE_COST_H

#include "base/number.h"
#include "clock/threads.h"

struct sweep_cost {
    size_t live_most;   /* W: greatest number of threads that are live at once */
    uint128 rows;       /* sum of the numbers of live threads at each removal */
    uint128 early_rows; /* part of `rows` before the last thread begins */
    uint128 steps;      /* sum of the squared numbers of live threads at each removal */
};

/* Estimate the cost of a sweep that keeps the reference tau to the end. O(T log T), with 8 T bytes.
 * */
csy_status cost_of_sweep(const struct threads *threads, uint32_t tau, struct sweep_cost *out,
                         csy_error *error);

/* Return the least memory in bytes of the sweep, of the exact engine (which finds delta), and of
 * the dense engine. `carrier` is true if delta is above 0, so the sweep needs more memory. */
uint128 cost_sweep_bytes(const struct sweep_cost *cost, bool carrier);
uint128 cost_exact_bytes(const struct sweep_cost *cost);
uint128 cost_dense_bytes(size_t nthreads);

/* Returns true if the dense engine is much faster than the sweep, and memory suffices. */
bool cost_prefers_dense(const struct sweep_cost *cost, size_t nthreads);

#endif
