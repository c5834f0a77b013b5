/* Functions that write reports, one for each format; page/page.h has HTML. Also lists of pairs. */
#ifndef OUTPUT_REPORT_REPORT_H
#define OUTPUT_REPORT_REPORT_H

#include "base/error.h"
#include "output/encode/text.h"
#include "output/file/outfile.h"
#include "sync/solution.h"

/* Write a report. csy_sync_write_report has computed the diagnosis, the violations, the comparison
 * with the tracer and, if requested, the advice. */
csy_status report_text(struct csy_sync *sync, struct outfile *out, csy_error *error);
csy_status report_csv(struct csy_sync *sync, csy_pairs pairs, struct outfile *out,
                      csy_error *error);
csy_status report_json(struct csy_sync *sync, csy_pairs pairs, struct outfile *out,
                       csy_error *error);

/* Two threads and their bounds. The first record of thread s is before the first record of thread
 * t. Lists of pairs are sorted by s, then by t. */
struct pair {
    size_t s, t;
    /* the results of csy_sync_bounds for s and t, in ticks */
    int64_t lower_ticks, upper_ticks, error_ticks;
    csy_drift_pair drift; /* used instead of lower_ticks, upper_ticks, and error_ticks if clocks
                           * drift */
};

/* Find the bounds of the time between threads s and t. If clocks drift and `walks` is true, also
 * use constraints with other clocks. This gives narrower bounds, but may be slow. */
csy_status pair_find(struct csy_sync *sync, size_t s, size_t t, bool walks, struct pair *pair,
                     csy_error *error);

/* Returns the error bound, in ticks, rounded up, of the time that passes between an event of thread
 * s and an event of thread t. Returns -1 if there is no bound. */
int64_t pair_event_error(const struct csy_sync *sync, const struct pair *pair);

/* Returns `pairs`. Replaces CSY_PAIRS_AUTO by a choice that depends on the number of threads. */
csy_pairs pairs_chosen(const struct csy_sync *sync, csy_pairs pairs);

/* How to write a list of pairs, and into which file. */
struct pair_list {
    struct outfile *out;
    void (*write)(const struct pair_list *list, const struct csy_sync *sync,
                  const struct pair *pair);
    const struct caveat_columns *rest; /* columns with the same values in each row */
    bool walks;                        /* argument `walks` of pair_find */
    bool begun;                        /* true if a pair was already written */
};

/* Call list->write for each pair, until a write to list->out fails. O(T W) memory for T threads, of
 * which at most W are live at once, plus 16 bytes for each pair of threads live at once. */
csy_status pairs_list(struct csy_sync *sync, csy_pairs pairs, struct pair_list *list,
                      csy_error *error);

/* Find the pair of drifting clocks with the greatest error. *any becomes false if no pair has
 * bounds. */
csy_status pair_worst(struct csy_sync *sync, size_t *s, size_t *t, bool *any, csy_drift_pair *pair,
                      csy_error *error);

#endif
