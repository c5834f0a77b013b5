/* The parts of reports about a partial order. */
#ifndef OUTPUT_REPORT_REPORT_ORDER_H
#define OUTPUT_REPORT_REPORT_ORDER_H

#include "output/report/report.h"

/* Write the lines "order" and "left out". */
void matched_text(const struct csy_trace *trace, const csy_matched *matched, struct outfile *out);

/* Write the member "matched" with its comma. */
void matched_json(const csy_matched *matched, struct outfile *out);

/* Write the line "violations", or the member "violations" with its comma, if the trace has
 * messages. csy_sync_violations must have been called. */
void violations_text(const struct csy_sync *sync, struct outfile *out);
void violations_json(const struct csy_sync *sync, struct outfile *out);

/* Write, as further members, why one record precedes another. */
void steps_json(const csy_witness_edge *edge, struct outfile *out);

#endif
