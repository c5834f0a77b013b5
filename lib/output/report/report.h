/* Reports of error bounds, one function for each format, and the parts that several formats have. A
 * part is written as a block of text (_text), as a JSON member with its comma (_json), or as an
 * HTML section (_html). */
#ifndef OUTPUT_REPORT_REPORT_H
#define OUTPUT_REPORT_REPORT_H

#include "base/error.h"
#include "output/encode/text.h"
#include "output/file/outfile.h"
#include "sync/solution.h"

csy_status report_text(const struct csy_trace *trace, struct csy_sync *sync, struct outfile *out,
                       csy_error *error);
csy_status report_csv(struct csy_sync *sync, csy_pairs pairs, struct outfile *out,
                      csy_error *error);
csy_status report_json(const struct csy_trace *trace, struct csy_sync *sync, csy_pairs pairs,
                       struct outfile *out, csy_error *error);

/* Write the HTML report. This function reads the trace again. */
csy_status report_html(struct csy_trace *trace, struct csy_sync *sync, struct outfile *out,
                       csy_error *error);

/* A pair of threads. In each pair, s has its first record before t. Lists are sorted by s, then by
 * t. */
struct pair {
    size_t s, t;
    int64_t lower_ticks, upper_ticks, error_ticks; /* as csy_sync_bounds returns them */
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

/* The name of a clock, escaped. Returns text. */
const char *report_name(const struct csy_sync *sync, size_t t, char text[ERROR_ESCAPED_MAX]);

/* Write `before` and then a JSON string, or null for NULL. */
void put_string(struct outfile *out, const char *before, const char *string);

/* Write a further JSON member with a number. INT64_MIN and INT64_MAX are null. */
void put_ticks(struct outfile *out, const char *key, int64_t ticks);

/* How more records would change the bounds. Nothing is written unless csy_sync_advise was called.
 * Names in the text are padded to `columns`. */
struct page;
void advice_text(const struct csy_sync *sync, int columns, struct outfile *out);
void advice_json(const struct csy_sync *sync, struct outfile *out);
void advice_html(const struct page *page);

/* Why order and clocks contradict each other, if they do. csy_sync_diagnose must have been
 * called. */
void diagnosis_text(const struct csy_sync *sync, struct outfile *out);
void diagnosis_json(const struct csy_sync *sync, struct outfile *out);
void diagnosis_html(const struct csy_sync *sync, struct outfile *out);

/* Delta for numbers of records left out. If it was not estimated, only JSON has it: null. */
void profile_text(const struct csy_trace *trace, const struct csy_sync *sync, struct outfile *out);
void profile_json(const struct csy_sync *sync, struct outfile *out);
void profile_html(const struct csy_trace *trace, const struct csy_sync *sync, struct outfile *out);

/* The records left out. If none was requested, only JSON has a list, an empty one. */
void dropped_text(const struct csy_trace *trace, const struct csy_sync *sync, struct outfile *out);
void dropped_json(const struct csy_sync *sync, struct outfile *out);
void dropped_html(const struct csy_trace *trace, const struct csy_sync *sync, struct outfile *out);

/* Drifting clocks: the line "drift", and the data of each clock, which replace figures over pairs
 * and offsets. drift_json_pair writes, each after a comma, the members that only pairs of drifting
 * clocks have. */
#define MOMENTS_TEXT "64"
_Static_assert(CSY_DRIFT_MOMENTS == 64, "as MOMENTS_TEXT has it");
void drift_text_line(const csy_drift *drift, struct outfile *out);
csy_status drift_text(struct csy_sync *sync, int columns, struct outfile *out, csy_error *error);
csy_status drift_json(struct csy_sync *sync, struct outfile *out, csy_error *error);
void drift_json_pair(const csy_drift_pair *pair, struct outfile *out);

/* A partial order, and the ends without a partner. */
void matched_text(const struct csy_trace *trace, const csy_matched *matched, struct outfile *out);
void matched_json(const csy_matched *matched, struct outfile *out);

/* Messages received before they were sent. Nothing is written if the trace has no messages.
 * csy_sync_violations must have been called. */
void violations_text(const struct csy_sync *sync, struct outfile *out);
void violations_json(const struct csy_sync *sync, struct outfile *out);

/* Write, as further members, why one record precedes another. */
void steps_json(const csy_witness_edge *edge, struct outfile *out);

/* The offsets that the tracer assumed, compared with ours. Nothing is written for other traces.
 * csy_sync_tracer must have been called. */
void tracer_text(const struct csy_sync *sync, struct outfile *out);
void tracer_json(const struct csy_sync *sync, struct outfile *out);

#endif
