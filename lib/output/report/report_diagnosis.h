/* The part of a report that tells why order and clocks contradict each other. */
#ifndef OUTPUT_REPORT_REPORT_DIAGNOSIS_H
#define OUTPUT_REPORT_REPORT_DIAGNOSIS_H

#include "output/file/outfile.h"
#include "sync/solution.h"

/* Write the diagnosis as a block of text, as a JSON member with its comma, or as an HTML section.
 * If there is none, only JSON has it. csy_sync_diagnose must have been called. */
void diagnosis_text(const struct csy_sync *sync, struct outfile *out);
void diagnosis_json(const struct csy_sync *sync, struct outfile *out);
void diagnosis_html(const struct csy_sync *sync, struct outfile *out);

/* Write delta for numbers of records left out. If it was not estimated, only JSON has it: null. */
void profile_text(const struct csy_trace *trace, const struct csy_sync *sync, struct outfile *out);
void profile_json(const struct csy_sync *sync, struct outfile *out);
void profile_html(const struct csy_trace *trace, const struct csy_sync *sync, struct outfile *out);

/* List the records left out. If none was requested, only JSON has a list, an empty one. */
void dropped_text(const struct csy_trace *trace, const struct csy_sync *sync, struct outfile *out);
void dropped_json(const struct csy_sync *sync, struct outfile *out);
void dropped_html(const struct csy_trace *trace, const struct csy_sync *sync, struct outfile *out);

#endif
