/* What a report says of clocks that drift. */
#ifndef OUTPUT_REPORT_REPORT_DRIFT_H
#define OUTPUT_REPORT_REPORT_DRIFT_H

#include "output/report/report.h"

/* The line drift, and, in the place of figures over pairs and offsets, what is known of each
 * clock. */
void drift_text_line(const csy_drift *drift, struct outfile *out);
void drift_text(const struct csy_sync *sync, int columns, struct outfile *out);

/* The member "drift", with a comma after it. */
void drift_json(const struct csy_sync *sync, struct outfile *out);

#endif
