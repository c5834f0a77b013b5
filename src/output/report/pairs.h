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

typedef void pair_writer(struct outfile *out, const struct csy_sync *sync, const struct pair *pair,
                         bool first);

/* Call write for each pair, until out has failed; *any (may be NULL) says whether there was one.
 * Rows are made one after the other: O(T W) memory, 16 bytes a pair for those that are live
 * together. */
csy_status pairs_list(struct csy_sync *sync, csy_pairs pairs, struct outfile *out,
                      pair_writer *write, bool *any, csy_error *error);

#endif
