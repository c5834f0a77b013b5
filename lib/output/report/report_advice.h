/* The effect of more records on the bounds, in reports. */
#ifndef OUTPUT_REPORT_REPORT_ADVICE_H
#define OUTPUT_REPORT_REPORT_ADVICE_H

#include "output/file/outfile.h"
#include "sync/solution.h"

/* Write nothing unless csy_sync_advise was called. Text: a block, with names padded to a width;
 * JSON: a member with its comma; HTML: a section. */
void advice_text(const struct csy_sync *sync, int columns, struct outfile *out);
void advice_json(const struct csy_sync *sync, struct outfile *out);
void advice_html(const struct csy_sync *sync, struct outfile *out);

#endif
