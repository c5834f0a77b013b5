/* Reports of error bounds, one function for each format. */
#ifndef OUTPUT_REPORT_REPORT_H
#define OUTPUT_REPORT_REPORT_H

#include "output/encode/text.h"
#include "output/report/pairs.h"

csy_status report_text(const struct csy_trace *trace, struct csy_sync *sync, struct outfile *out,
                       csy_error *error);
csy_status report_csv(struct csy_sync *sync, csy_pairs pairs, struct outfile *out,
                      csy_error *error);
csy_status report_json(const struct csy_trace *trace, struct csy_sync *sync, csy_pairs pairs,
                       struct outfile *out, csy_error *error);

/* Write the HTML report. This function reads the trace again. */
csy_status report_html(struct csy_trace *trace, struct csy_sync *sync, struct outfile *out,
                       csy_error *error);

#endif
