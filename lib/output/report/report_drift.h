/* The parts of reports about drifting clocks. */
#ifndef OUTPUT_REPORT_REPORT_DRIFT_H
#define OUTPUT_REPORT_REPORT_DRIFT_H

#include "output/report/report.h"

/* The value of CSY_DRIFT_MOMENTS as text. */
#define MOMENTS_TEXT "64"
_Static_assert(CSY_DRIFT_MOMENTS == 64, "as MOMENTS_TEXT has it");

/* Write the line "drift", or the data of each clock instead of figures over pairs and offsets. */
void drift_text_line(const csy_drift *drift, struct outfile *out);
csy_status drift_text(struct csy_sync *sync, int columns, struct outfile *out, csy_error *error);

/* Write the member "drift" with its comma. */
csy_status drift_json(struct csy_sync *sync, struct outfile *out, csy_error *error);

/* Write the members that only pairs of drifting clocks have, each after a comma. */
void drift_json_pair(const csy_drift_pair *pair, struct outfile *out);

#endif
