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

/* Read and solve a trace in partial order. If constraints contradict each other, set the witness
 * and return CSY_INFEASIBLE. Returns CSY_INPUT if the order is cyclic. */
csy_status partial_solve(struct csy_sync *sync, const csy_options *options,
                         const struct progress *progress, csy_error *error);

/* --- The time and memory of engines, from the first and last records of threads --- */

struct sweep_cost {
    size_t live_most;   /* W: greatest number of threads that are live at once */
    uint128 rows;       /* sum, over all removals of threads, of the number of live threads */
    uint128 early_rows; /* part of `rows` before the last thread begins */
    /* sum, over all removals of threads, of the squared number of live threads */
    uint128 steps;
};

/* Estimate the cost of a sweep that keeps the reference tau to the end. O(T log T); 8 T bytes. */
csy_status cost_of_sweep(const struct threads *threads, uint32_t tau, struct sweep_cost *out,
                         csy_error *error);

/* Returns true if the dense engine is much faster than the sweep, and memory suffices. */
bool cost_prefers_dense(const struct sweep_cost *cost, size_t nthreads);

#endif
