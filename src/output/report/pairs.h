/*
 * The pairs of threads that a report lists, s before t in the order of first records, sorted by s
 * and then by t, whichever are chosen.
 */
#ifndef OUTPUT_REPORT_PAIRS_H
#define OUTPUT_REPORT_PAIRS_H

#include "output/file/outfile.h"
#include "sync/solution.h"

struct pair {
    size_t s, t;
    int64_t lower_ticks, upper_ticks, error_ticks; /* as csy_sync_bounds has them */
};

/* What CSY_PAIRS_AUTO stands for in this solution; anything else is itself. */
csy_pairs pairs_chosen(const struct csy_sync *sync, csy_pairs pairs);

/* Where pairs go. */
struct pair_list {
    struct outfile *out;
    void (*write)(const struct pair_list *list, const struct csy_sync *sync,
                  const struct pair *pair);
    const struct caveat_columns *rest; /* the writer's own: what all pairs have */
    bool begun;                        /* a pair was written */
};

/* Write each pair, until out has failed.  Rows are made one after the other: O(T W) memory, 16
 * bytes a pair for those that are live together. */
csy_status pairs_list(struct csy_sync *sync, csy_pairs pairs, struct pair_list *list,
                      csy_error *error);

#endif
