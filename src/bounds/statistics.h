/*
 * The figures of [BHH08] Table 1, over unordered pairs of threads that are bounded both ways, and
 * their like over those that are live together and over successive live intervals of a context.
 */
#ifndef BOUNDS_STATISTICS_H
#define BOUNDS_STATISTICS_H

#include "bounds/bounds.h"
#include "bounds/pair_stats.h"

/* What gathering may take.  Savings that take more than steps_max steps are given up as those are
 * that take too much memory; figures that then, row by row (bounds_row_steps), take more are not
 * computed, and csy_summary.uncomputed_steps is how many. */
struct statistics_effort {
    const struct pair_known *known; /* or NULL; see bounds/pair_stats.h */
    unsigned workers;
    uint64_t steps_max;
};

/* b->n threads.  All but event errors and unbounded_threads is filled.  dense: O(T^2); sweep: see
 * bounds/pair_stats.h; search: row by row.  The outcome does not depend on the workers. */
csy_status statistics_gather(const struct bounds *b, const struct pair_tally_thread *threads,
                             const struct statistics_effort *effort, csy_summary *out,
                             csy_error *error);

/* The same tallies row by row, from either engine; O(T^2), with a sweep O(T^2 W). */
csy_status statistics_by_rows(const struct bounds *b, const struct pair_tally_thread *threads,
                              struct tallies *out, csy_error *error);

#endif
