/* Functions that write reports, one for each format. A part of several formats has functions for
 * text (_text), for a JSON member with its comma (_json), and for an HTML section (_html). */
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

/* Two threads and their bounds. The first record of thread s is before the first record of thread
 * t. Lists of pairs are sorted by s, then by t. */
struct pair {
    size_t s, t;
    /* bounds in ticks, as csy_sync_bounds returns them */
    int64_t lower_ticks, upper_ticks, error_ticks;
    csy_drift_pair drift; /* bounds over time, if clocks drift; then only error_ticks is also set */
};

/* Find the bounds of threads s and t. If `walks` is true and clocks drift, also follow longer
 * chains of constraints, which may be slow. */
csy_status pair_find(struct csy_sync *sync, size_t s, size_t t, bool walks, struct pair *pair,
                     csy_error *error);

/* Returns the event error of a pair in ticks, rounded up, or -1 if the pair has no bounds. */
int64_t pair_event_error(const struct csy_sync *sync, const struct pair *pair);

/* Returns `pairs`. Replaces CSY_PAIRS_AUTO by a choice that depends on the number of threads. */
csy_pairs pairs_chosen(const struct csy_sync *sync, csy_pairs pairs);

/* How to write a list of pairs, and into which file. */
struct pair_list {
    struct outfile *out;
    void (*write)(const struct pair_list *list, const struct csy_sync *sync,
                  const struct pair *pair);
    const struct caveat_columns *rest; /* values that are the same for all pairs */
    bool walks;                        /* the argument `walks` of pair_find */
    bool begun;                        /* true if a pair was already written */
};

/* Call list->write for each pair, until a write to list->out fails. This takes O(T W) memory, and
 * 16 bytes for each pair of threads that are live at the same time. */
csy_status pairs_list(struct csy_sync *sync, csy_pairs pairs, struct pair_list *list,
                      csy_error *error);

/* Escape the name of clock t into `text`, and return `text`. */
const char *report_name(const struct csy_sync *sync, size_t t, char text[ERROR_ESCAPED_MAX]);

/* Write `before` and then a JSON string. Write null if `string` is NULL. */
void put_string(struct outfile *out, const char *before, const char *string);

/* Write a comma and a JSON member that is a number. Write null for INT64_MIN and INT64_MAX. */
void put_ticks(struct outfile *out, const char *key, int64_t ticks);

/* Write a comma and a JSON member that is an error. Write null for -1. */
void put_error(struct outfile *out, const char *key, int64_t ticks);

/* Write which further records in the trace would reduce the errors. Nothing is written unless
 * csy_sync_advise was called. Names in the text are padded to `columns` characters. */
struct page;
void advice_text(const struct csy_sync *sync, int columns, struct outfile *out);
void advice_json(const struct csy_sync *sync, struct outfile *out);
void advice_html(const struct page *page);

/* Write why timestamps contradict the order, if they do. Call csy_sync_diagnose before. */
void diagnosis_text(const struct csy_sync *sync, struct outfile *out);
void diagnosis_json(const struct csy_sync *sync, struct outfile *out);
void diagnosis_html(const struct csy_sync *sync, struct outfile *out);

/* Write the least timestamp error that remains if some records are left out, for several numbers of
 * them. If it was not estimated, write nothing, or a JSON null. */
void profile_text(const struct csy_trace *trace, const struct csy_sync *sync, struct outfile *out);
void profile_json(const struct csy_sync *sync, struct outfile *out);
void profile_html(const struct csy_trace *trace, const struct csy_sync *sync, struct outfile *out);

/* Write which records --drop left out. Without --drop, write nothing, or an empty JSON list. */
void dropped_text(const struct csy_trace *trace, const struct csy_sync *sync, struct outfile *out);
void dropped_json(const struct csy_sync *sync, struct outfile *out);
void dropped_html(const struct csy_trace *trace, const struct csy_sync *sync, struct outfile *out);

/* For clocks that drift: drift_text_line writes the line "drift", drift_text and drift_json the
 * errors and rates of each clock, and drift_json_pair members of a pair, each after a comma. */
#define MOMENTS_TEXT "64"
_Static_assert(CSY_DRIFT_MOMENTS == 64, "as MOMENTS_TEXT has it");
void drift_text_line(const csy_drift *drift, struct outfile *out);
csy_status drift_text(struct csy_sync *sync, int columns, struct outfile *out, csy_error *error);
csy_status drift_json(struct csy_sync *sync, struct outfile *out, csy_error *error);
void drift_json_pair(const csy_drift_pair *pair, struct outfile *out);

/* Write about a partial order, and about records without a partner, such as unreceived sends. */
void matched_text(const struct csy_trace *trace, const csy_matched *matched, struct outfile *out);
void matched_json(const csy_matched *matched, struct outfile *out);

/* Write about messages that were received before they were sent. Nothing is written if the trace
 * has no messages. csy_sync_violations must have been called. */
void violations_text(const struct csy_sync *sync, struct outfile *out);
void violations_json(const struct csy_sync *sync, struct outfile *out);

/* Write why one record precedes another, as JSON members, each after a comma. */
void steps_json(const csy_witness_edge *edge, struct outfile *out);

/* Compare the offsets that the tracer recorded with the offsets of the solution. Nothing is written
 * if the trace has no such offsets. csy_sync_tracer must have been called. */
void tracer_text(const struct csy_sync *sync, struct outfile *out);
void tracer_json(const struct csy_sync *sync, struct outfile *out);

#endif
