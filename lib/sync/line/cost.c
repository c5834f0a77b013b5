/* Estimates the time and memory that engines take. */
#include "sync/line/cost.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "graph/kernels.h"

#include <stdlib.h>

csy_status cost_of_sweep(const struct threads *threads, uint32_t tau, struct sweep_cost *out,
                         csy_error *error)
{
    size_t n = 0, begun = 0;
    uint64_t *last = malloc((threads->count + 1) * sizeof *last);
    *out = (struct sweep_cost){0};
    if (!last)
        return error_memory(error);
    for (uint32_t t = 0; t < threads->count; t++)
        if (t != tau)
            last[n++] = threads->items[t].last_record;
    last[n++] = UINT64_MAX; /* the sweep keeps the reference to the end */
    sort_numbers(last, n);
    for (size_t gone = 0; gone < n; gone++) {
        while (begun < threads->count && threads->items[begun].first_record <= last[gone])
            begun++;
        size_t live = begun - gone;
        out->live_most = live > out->live_most ? live : out->live_most;
        out->rows += live;
        out->early_rows += begun < threads->count ? live : 0;
        out->steps += (uint128)live * live;
    }
    free(last);
    return CSY_OK;
}

/* The sweep's matrix takes 8 bytes for each entry. When a thread is removed, 20 bytes are stored
 * for each other live thread (two limits and a thread number), or 28 bytes if delta is above 0. */
uint128 cost_sweep_bytes(const struct sweep_cost *cost, bool carrier)
{
    return 8 * (uint128)cost->live_most * cost->live_most + (carrier ? 28 : 20) * cost->rows;
}

uint128 cost_exact_bytes(const struct sweep_cost *cost)
{
    return 20 * ((uint128)cost->live_most * cost->live_most + cost->early_rows);
}

/* Returns the bytes for the matrix of constraints and the matrix of bounds. */
uint128 cost_dense_bytes(size_t nthreads)
{
    return 16 * (uint128)nthreads * nthreads;
}

/* A step of the sweep takes about 1 ns. A dense step, with vector instructions, takes at most an
 * eighth of this time. Also, later requests for bounds are only look-ups. */
bool cost_prefers_dense(const struct sweep_cost *cost, size_t nthreads)
{
    unsigned faster = kernel_fastest() == kernel_of(KERNEL_PORTABLE) ? 1 : 8;
    return nthreads <= CSY_DENSE_THREADS_MAX && memory_allows(cost_dense_bytes(nthreads)) &&
           (uint128)nthreads * nthreads * nthreads < cost->steps * faster / 2;
}
