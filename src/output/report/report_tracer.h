/* What a report says of the tracer's own offsets beside ours. */
#ifndef OUTPUT_REPORT_REPORT_TRACER_H
#define OUTPUT_REPORT_REPORT_TRACER_H

#include "output/report/report.h"

/* Both say nothing where the format has nothing of the kind; csy_sync_tracer was called. */

/* The line tracer. */
void tracer_text(const struct csy_sync *sync, struct outfile *out);

/* The member "tracer", with a comma after it. */
void tracer_json(const struct csy_sync *sync, struct outfile *out);

#endif
