/* The parts of reports that compare the tracer's offsets with ours. */
#ifndef OUTPUT_REPORT_REPORT_TRACER_H
#define OUTPUT_REPORT_REPORT_TRACER_H

#include "output/report/report.h"

/* Both functions need csy_sync_tracer, and write nothing if the format has no tracer's offsets. */

/* Write the line "tracer". */
void tracer_text(const struct csy_sync *sync, struct outfile *out);

void tracer_json(const struct csy_sync *sync, struct outfile *out);

#endif
