/* The figures of [BHH08] Table 1 over unordered pairs of threads that are bounded on both sides;
 * also over pairs that are live together, and over successive live intervals of a context. */
#ifndef BOUNDS_STATISTICS_H
#define BOUNDS_STATISTICS_H

#include "bounds/bounds.h"
#include "bounds/pair_stats.h"

/* Limits of the computation. Savings (bounds/pair_stats.h) are abandoned after steps_max steps, or
 * if they need too much memory. If rows (bounds_row_steps) take more steps, too, there are no
 * figures, and csy_summary.uncomputed_steps is that number. */
struct statistics_effort {
    const struct pair_known *known; /* NULL: none; see bounds/pair_stats.h */
    unsigned workers;
    uint64_t steps_max;
};

/* Set the summary, except event errors and unbounded_threads, from b->n threads. Dense: O(T^2);
 * sweep: see bounds/pair_stats.h; search: row by row. The result is the same for any workers. */
csy_status statistics_gather(const struct bounds *b, const struct pair_tally_thread *threads,
                             const struct statistics_effort *effort, csy_summary *out,
                             csy_error *error);

/* Compute the tallies row by row, with any engine. O(T^2), with a sweep O(T^2 W). */
csy_status statistics_by_rows(const struct bounds *b, const struct pair_tally_thread *threads,
                              struct tallies *out, csy_error *error);

#endif
