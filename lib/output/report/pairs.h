/* The pairs of threads that a report lists, with s before t in the order of first records, sorted
 * by s and then by t. */
#ifndef OUTPUT_REPORT_PAIRS_H
#define OUTPUT_REPORT_PAIRS_H

#include "output/file/outfile.h"
#include "sync/solution.h"

struct pair {
    size_t s, t;
    int64_t lower_ticks, upper_ticks, error_ticks; /* as from csy_sync_bounds */
    csy_drift_pair drift; /* of drifting clocks, instead; error_ticks is rounded up */
};

/* The event error of a pair, in ticks rounded up; -1: it is not bounded. */
int64_t pair_event_error(const struct csy_sync *sync, const struct pair *pair);

/* The value of CSY_PAIRS_AUTO for this solution; other values are returned unchanged. */
csy_pairs pairs_chosen(const struct csy_sync *sync, csy_pairs pairs);

/* Destination of the pairs. */
struct pair_list {
    struct outfile *out;
    void (*write)(const struct pair_list *list, const struct csy_sync *sync,
                  const struct pair *pair);
    const struct caveat_columns *rest; /* for the writer: values that all pairs have in common */
    bool walks; /* between drifting clocks, even if they take long: pairs were asked for */
    bool begun; /* a pair was written */
};

/* Write each pair until out has failed. Rows are computed one after the other: O(T W) memory, 16
 * bytes for each pair that is live together. */
csy_status pairs_list(struct csy_sync *sync, csy_pairs pairs, struct pair_list *list,
                      csy_error *error);

#endif
