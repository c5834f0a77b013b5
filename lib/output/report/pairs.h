/* The pairs of threads that a report lists. In each pair, s has its first record before t. Pairs
 * are sorted by s, then by t. */
#ifndef OUTPUT_REPORT_PAIRS_H
#define OUTPUT_REPORT_PAIRS_H

#include "output/file/outfile.h"
#include "sync/solution.h"

struct pair {
    size_t s, t;
    int64_t lower_ticks, upper_ticks, error_ticks; /* like those of csy_sync_bounds */
    csy_drift_pair drift;                          /* set for drifting clocks, with error_ticks */
};

/* The event error of a pair, in ticks, rounded up; -1 if the pair is not bounded. */
int64_t pair_event_error(const struct csy_sync *sync, const struct pair *pair);

/* Replace CSY_PAIRS_AUTO by the choice for this solution. Other values are returned unchanged. */
csy_pairs pairs_chosen(const struct csy_sync *sync, csy_pairs pairs);

/* Where pairs are written, and how. */
struct pair_list {
    struct outfile *out;
    void (*write)(const struct pair_list *list, const struct csy_sync *sync,
                  const struct pair *pair);
    const struct caveat_columns *rest; /* for the writer: values that all pairs share */
    bool walks; /* find walks of drifting clocks, even if slow, since pairs were requested */
    bool begun; /* a pair was written */
};

/* Write each pair, until out fails. Rows of bounds are computed one by one: O(T W) memory, and 16
 * bytes for each pair that is live together. */
csy_status pairs_list(struct csy_sync *sync, csy_pairs pairs, struct pair_list *list,
                      csy_error *error);

#endif
