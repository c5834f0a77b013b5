/* Computes the figures of [BHH08] Table 1 over unordered pairs of threads that are bounded on both
 * sides. Similar figures are over pairs that are live together, and over successive live
 * intervals. */
#ifndef BOUNDS_STATISTICS_H
#define BOUNDS_STATISTICS_H

#include "bounds/bounds.h"
#include "bounds/pair_stats.h"

/* Limits of the computation. Savings (bounds/pair_stats.h) are abandoned after steps_max steps, or
 * if they need too much memory. If rows also need more than steps_max steps (bounds_row_steps),
 * there are no figures, and csy_summary.uncomputed_steps is the number of steps. */
struct statistics_effort {
    const struct pair_known *known; /* known walks (bounds/pair_stats.h), or NULL */
    unsigned workers;
    uint64_t steps_max;
};

/* Set the summary of b->n threads, except event errors and unbounded_threads. O(T^2) if dense; for
 * a sweep, see bounds/pair_stats.h; a search computes each row. The number of workers has no
 * effect. */
csy_status statistics_gather(const struct bounds *b, const struct pair_tally_thread *threads,
                             const struct statistics_effort *effort, csy_summary *out,
                             csy_error *error);

/* Compute the tallies row by row, with any engine. O(T^2), but O(T^2 W) with a sweep. */
csy_status statistics_by_rows(const struct bounds *b, const struct pair_tally_thread *threads,
                              struct tallies *out, csy_error *error);

#endif
