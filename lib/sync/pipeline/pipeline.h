/* Solves a trace, and may change its records as they are read. */
#ifndef SYNC_PIPELINE_PIPELINE_H
#define SYNC_PIPELINE_PIPELINE_H

#include "base/number.h"
#include "clock/threads.h"
#include "clock/timeline.h"
#include "sync/solution.h"

/* Do the same as csy_trace_synchronize, but call `prepare` (unless NULL) to change each record as
 * it is read (clock/timeline.h). `user` must outlive the reading of events of *out. */
csy_status pipeline_solve(csy_trace *trace, const csy_options *options,
                          csy_status (*prepare)(void *user, struct record *record,
                                                csy_error *error),
                          void *user, csy_sync **out, csy_error *error);

/* Read and solve a trace in partial order. If constraints contradict each other, store an example
 * in sync->witness and return CSY_INFEASIBLE. Returns CSY_INPUT if the order is cyclic. */
csy_status partial_solve(struct csy_sync *sync, const csy_options *options,
                         const struct progress *progress, csy_error *error);

/* --- The time and memory of engines, from the first and last records of threads --- */

struct sweep_cost {
    size_t live_most;   /* greatest number of threads that are live: begun, but not ended */
    uint128 rows;       /* sum of the numbers of live threads at the moments when a thread ends */
    uint128 early_rows; /* like `rows`, but only for moments before the last thread begins */
    /* sum of the squares of the numbers of live threads at the moments when a thread ends */
    uint128 steps;
};

/* Estimate the cost of a sweep. A sweep removes each thread after its last record, except the
 * reference tau. For T threads, the estimate takes O(T log T) and 8 T bytes. */
csy_status cost_of_sweep(const struct threads *threads, uint32_t tau, struct sweep_cost *out,
                         csy_error *error);

/* Returns true if a matrix of all threads (the dense engine) takes less time than a sweep and fits
 * into memory. */
bool cost_prefers_dense(const struct sweep_cost *cost, size_t nthreads);

#endif
