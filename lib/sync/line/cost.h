/* Estimates the time and memory of engines from the first and last records of threads. */
#ifndef SYNC_LINE_COST_H
#define SYNC_LINE_COST_H

#include "base/number.h"
#include "clock/threads.h"

struct sweep_cost {
    size_t live_most;   /* W, the greatest number of threads that are live at once */
    uint128 rows;       /* sum, over all eliminations, of the number of live threads */
    uint128 early_rows; /* the part of `rows` from eliminations before the last thread begins */
    uint128 steps; /* sum, over all eliminations, of the square of the number of live threads */
};

/* Estimate a sweep that never eliminates tau, in O(T log T), with 8 T bytes temporarily. */
csy_status cost_of_sweep(const struct threads *threads, uint32_t tau, struct sweep_cost *out,
                         csy_error *error);

/* Returns the least memory of an engine, in bytes. A sweep needs a carrier if delta is above 0. The
 * exact engine finds delta. */
uint128 cost_sweep_bytes(const struct sweep_cost *cost, bool carrier);
uint128 cost_exact_bytes(const struct sweep_cost *cost);
uint128 cost_dense_bytes(size_t nthreads);

/* Returns true if the dense engine will be much faster and there is enough memory. */
bool cost_prefers_dense(const struct sweep_cost *cost, size_t nthreads);

#endif
