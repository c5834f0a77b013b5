/* What a contradiction comes from, in reports. */
#ifndef OUTPUT_REPORT_REPORT_DIAGNOSIS_H
#define OUTPUT_REPORT_REPORT_DIAGNOSIS_H

#include "output/file/outfile.h"
#include "sync/solution.h"

/* The solution must have been diagnosed (csy_sync_diagnose).  Text: a block, or nothing where there
 * is none; json: a member with its comma; html: a section, or nothing. */
void diagnosis_text(const struct csy_sync *sync, struct outfile *out);
void diagnosis_json(const struct csy_sync *sync, struct outfile *out);
void diagnosis_html(const struct csy_sync *sync, struct outfile *out);

/* What delta would be with records left out; where it was not estimated, json has null and the
 * others nothing. */
void profile_text(const struct csy_trace *trace, const struct csy_sync *sync, struct outfile *out);
void profile_json(const struct csy_sync *sync, struct outfile *out);
void profile_html(const struct csy_trace *trace, const struct csy_sync *sync, struct outfile *out);

/* The records that are left out: nothing unless that was asked for; in JSON always a list. */
void dropped_text(const struct csy_trace *trace, const struct csy_sync *sync, struct outfile *out);
void dropped_json(const struct csy_sync *sync, struct outfile *out);
void dropped_html(const struct csy_trace *trace, const struct csy_sync *sync, struct outfile *out);

#endif
