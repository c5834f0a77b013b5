/* The tracer's offsets compared with ours, in reports. */
#ifndef OUTPUT_REPORT_REPORT_TRACER_H
#define OUTPUT_REPORT_REPORT_TRACER_H

#include "output/report/report.h"

/* Both write nothing for formats without such offsets; csy_sync_tracer must have been called. */

/* Write the line tracer. */
void tracer_text(const struct csy_sync *sync, struct outfile *out);

/* Write the member "tracer" with its comma. */
void tracer_json(const struct csy_sync *sync, struct outfile *out);

#endif
