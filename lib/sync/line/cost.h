/*
 * What the engines will cost, once the threads of a trace are known with their first records and
 * their last ones.
 */
#ifndef SYNC_LINE_COST_H
#define SYNC_LINE_COST_H

#include "base/number.h"
#include "clock/threads.h"

struct sweep_cost {
    size_t live_most;   /* W */
    uint128 rows;       /* the sum of how many are live at each elimination */
    uint128 early_rows; /* of those eliminations that a birth follows */
    uint128 steps;      /* the sum of the squares */
};

/* Of a sweep in which tau is never eliminated.  O(T log T), 8 T bytes for a while. */
csy_status cost_of_sweep(const struct threads *threads, uint32_t tau, struct sweep_cost *out,
                         csy_error *error);

/* Memory, at least: with a carrier where delta is above 0, and where it has to be found. */
uint128 cost_sweep_bytes(const struct sweep_cost *cost, bool carrier);
uint128 cost_exact_bytes(const struct sweep_cost *cost);
uint128 cost_dense_bytes(size_t nthreads);

/* Whether the dense engine will be done much sooner, and may take the memory. */
bool cost_prefers_dense(const struct sweep_cost *cost, size_t nthreads);

#endif
