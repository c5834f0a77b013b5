/* Reports of error bounds have one function for each format, and parts that several formats share.
 * A function writes a part as a block of text (_text), as a JSON member with its comma (_json), or
 * as an HTML section (_html). */
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

/* A pair of threads. Thread s has its first record before thread t. Lists of pairs are sorted by s,
 * then by t. */
struct pair {
    size_t s, t;
    int64_t lower_ticks, upper_ticks, error_ticks; /* as csy_sync_bounds returns them */
    csy_drift_pair drift; /* set, together with error_ticks, if clocks drift */
};

/* Find the bounds of a pair. `walks`: find walks of drifting clocks, even if slow. */
csy_status pair_find(struct csy_sync *sync, size_t s, size_t t, bool walks, struct pair *pair,
                     csy_error *error);

/* Returns the event error of a pair, in ticks, rounded up; -1 if the pair is not bounded. */
int64_t pair_event_error(const struct csy_sync *sync, const struct pair *pair);

/* Returns `pairs`, or the choice for this solution if `pairs` is CSY_PAIRS_AUTO. */
csy_pairs pairs_chosen(const struct csy_sync *sync, csy_pairs pairs);

/* The file to which a list of pairs is written, and the function that writes a pair. */
struct pair_list {
    struct outfile *out;
    void (*write)(const struct pair_list *list, const struct csy_sync *sync,
                  const struct pair *pair);
    const struct caveat_columns *rest; /* values that all pairs share, for the function `write` */
    bool walks; /* find walks of drifting clocks, even if slow, because pairs were requested */
    bool begun; /* true after the first pair was written */
};

/* Write each pair, until the file list->out fails. Rows of bounds are computed one by one, in O(T
 * W) memory, and 16 bytes for each pair whose records overlap in time. */
csy_status pairs_list(struct csy_sync *sync, csy_pairs pairs, struct pair_list *list,
                      csy_error *error);

/* Write the escaped name of clock t into text. Returns text. */
const char *report_name(const struct csy_sync *sync, size_t t, char text[ERROR_ESCAPED_MAX]);

/* Write `before` and then `string` as a JSON string, or null if `string` is NULL. */
void put_string(struct outfile *out, const char *before, const char *string);

/* Write a comma and a JSON member with a number. INT64_MIN and INT64_MAX become null. */
void put_ticks(struct outfile *out, const char *key, int64_t ticks);

/* Write a comma and a JSON member with an error, or with null if the error is -1. */
void put_error(struct outfile *out, const char *key, int64_t ticks);

/* The part that tells how further records in the trace would reduce the errors. The part is empty
 * unless csy_sync_advise was called. Names in the text are padded to `columns`. */
struct page;
void advice_text(const struct csy_sync *sync, int columns, struct outfile *out);
void advice_json(const struct csy_sync *sync, struct outfile *out);
void advice_html(const struct page *page);

/* The part that tells why order and clocks contradict each other, if they do. csy_sync_diagnose
 * must have been called. */
void diagnosis_text(const struct csy_sync *sync, struct outfile *out);
void diagnosis_json(const struct csy_sync *sync, struct outfile *out);
void diagnosis_html(const struct csy_sync *sync, struct outfile *out);

/* The part with the smallest delta for each number of records left out. If delta was not estimated,
 * the text and the page lack the part, and the JSON member is null. */
void profile_text(const struct csy_trace *trace, const struct csy_sync *sync, struct outfile *out);
void profile_json(const struct csy_sync *sync, struct outfile *out);
void profile_html(const struct csy_trace *trace, const struct csy_sync *sync, struct outfile *out);

/* The part about the records that --drop left out. Without this option, the text and the page lack
 * the part, and the JSON list is empty. */
void dropped_text(const struct csy_trace *trace, const struct csy_sync *sync, struct outfile *out);
void dropped_json(const struct csy_sync *sync, struct outfile *out);
void dropped_html(const struct csy_trace *trace, const struct csy_sync *sync, struct outfile *out);

/* The part about drifting clocks. drift_text_line writes the line "drift". drift_text and
 * drift_json write the errors and rates of each clock. drift_json_pair writes the members of pairs
 * that only drifting clocks have, each after a comma. */
#define MOMENTS_TEXT "64"
_Static_assert(CSY_DRIFT_MOMENTS == 64, "as MOMENTS_TEXT has it");
void drift_text_line(const csy_drift *drift, struct outfile *out);
csy_status drift_text(struct csy_sync *sync, int columns, struct outfile *out, csy_error *error);
csy_status drift_json(struct csy_sync *sync, struct outfile *out, csy_error *error);
void drift_json_pair(const csy_drift_pair *pair, struct outfile *out);

/* The part about a partial order, and about sends, receives, and other ends without a partner. */
void matched_text(const struct csy_trace *trace, const csy_matched *matched, struct outfile *out);
void matched_json(const csy_matched *matched, struct outfile *out);

/* The part about messages received before they were sent. The part is empty if the trace has no
 * messages. csy_sync_violations must have been called. */
void violations_text(const struct csy_sync *sync, struct outfile *out);
void violations_json(const struct csy_sync *sync, struct outfile *out);

/* Write JSON members that tell why one record precedes another, each after a comma. */
void steps_json(const csy_witness_edge *edge, struct outfile *out);

/* The part that compares the offsets that the tracer recorded with those of the solution. The part
 * is empty if the trace has no such offsets. csy_sync_tracer must have been called. */
void tracer_text(const struct csy_sync *sync, struct outfile *out);
void tracer_json(const struct csy_sync *sync, struct outfile *out);

#endif
