/* Computes the figures of [BHH08] Table 1: over all pairs of threads with a finite error bound,
 * over the pairs that are live at the same time, and over the pairs of successive threads of one
 * context. */
#ifndef BOUNDS_STATISTICS_H
#define BOUNDS_STATISTICS_H

#include "bounds/bounds.h"
#include "bounds/pair_stats.h"

/* Limits of the computation. pair_stats_gather is tried first. If it exceeds a limit, each pair of
 * threads is visited instead. If this would take more than steps_max steps, too, there are no
 * results, and csy_summary.uncomputed_steps becomes the number of these steps. */
struct statistics_effort {
    const struct pair_known *known; /* bounds between one thread and all others, so that they are
                                     * not computed again; may be NULL */
    unsigned workers;
    uint64_t steps_max;
};

/* Set the summary, except event errors and unbounded_threads. Results do not depend on workers. */
csy_status statistics_gather(const struct bounds *b, const struct pair_tally_thread *threads,
                             const struct statistics_effort *effort, csy_summary *out,
                             csy_error *error);

/* Compute *out by visiting each pair of threads. This works for every kind of struct bounds. */
csy_status statistics_by_rows(const struct bounds *b, const struct pair_tally_thread *threads,
                              struct tallies *out, csy_error *error);

#endif
