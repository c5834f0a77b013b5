/* What a report says of an order that is no line. */
#ifndef OUTPUT_REPORT_REPORT_ORDER_H
#define OUTPUT_REPORT_REPORT_ORDER_H

#include "output/report/report.h"

/* The lines order and left out. */
void matched_text(const struct csy_trace *trace, const csy_matched *matched, struct outfile *out);

/* The member "matched", with a comma after it. */
void matched_json(const csy_matched *matched, struct outfile *out);

/* The line violations, and the member "violations" with a comma after it, of traces with
 * messages; csy_sync_violations was called. */
void violations_text(const struct csy_sync *sync, struct outfile *out);
void violations_json(const struct csy_sync *sync, struct outfile *out);

/* By what the one record of a constraint comes before the other: members after others. */
void steps_json(const csy_witness_edge *edge, struct outfile *out);

#endif
