/* Drifting clocks in reports. */
#ifndef OUTPUT_REPORT_REPORT_DRIFT_H
#define OUTPUT_REPORT_REPORT_DRIFT_H

#include "output/report/report.h"

/* Write the line drift; and, instead of figures over pairs and offsets, the data of each clock. */
void drift_text_line(const csy_drift *drift, struct outfile *out);
void drift_text(const struct csy_sync *sync, int columns, struct outfile *out);

/* Write the member "drift" with its comma. */
void drift_json(const struct csy_sync *sync, struct outfile *out);

#endif
