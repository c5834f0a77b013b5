/* The cause of a contradiction, in reports. */
#ifndef OUTPUT_REPORT_REPORT_DIAGNOSIS_H
#define OUTPUT_REPORT_REPORT_DIAGNOSIS_H

#include "output/file/outfile.h"
#include "sync/solution.h"

/* csy_sync_diagnose must have been called. Text: a block, or nothing; JSON: a member with its
 * comma; HTML: a section, or nothing. */
void diagnosis_text(const struct csy_sync *sync, struct outfile *out);
void diagnosis_json(const struct csy_sync *sync, struct outfile *out);
void diagnosis_html(const struct csy_sync *sync, struct outfile *out);

/* delta with records left out. If it was not estimated, JSON has null and the others nothing. */
void profile_text(const struct csy_trace *trace, const struct csy_sync *sync, struct outfile *out);
void profile_json(const struct csy_sync *sync, struct outfile *out);
void profile_html(const struct csy_trace *trace, const struct csy_sync *sync, struct outfile *out);

/* The records left out: nothing unless this was requested; in JSON always a list. */
void dropped_text(const struct csy_trace *trace, const struct csy_sync *sync, struct outfile *out);
void dropped_json(const struct csy_sync *sync, struct outfile *out);
void dropped_html(const struct csy_trace *trace, const struct csy_sync *sync, struct outfile *out);

#endif
