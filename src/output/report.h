/* Error-bound reports: one function a format. */
#ifndef OUTPUT_REPORT_H
#define OUTPUT_REPORT_H

#include "output/outfile.h"
#include "output/words.h"
#include "sync/solution.h"

void report_text(const struct csy_trace *trace, const struct csy_sync *sync, struct outfile *out);
void report_csv(const struct csy_sync *sync, struct outfile *out);
void report_json(const struct csy_trace *trace, const struct csy_sync *sync, struct outfile *out);

#endif
