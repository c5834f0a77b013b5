/* What more records would make of the bounds, in reports. */
#ifndef OUTPUT_REPORT_REPORT_ADVICE_H
#define OUTPUT_REPORT_REPORT_ADVICE_H

#include "output/file/outfile.h"
#include "sync/solution.h"

/* Nothing unless the solution has been asked (csy_sync_advise).  Text: a block, names in so many
 * columns; json: a member with its comma; html: a section. */
void advice_text(const struct csy_sync *sync, int columns, struct outfile *out);
void advice_json(const struct csy_sync *sync, struct outfile *out);
void advice_html(const struct csy_sync *sync, struct outfile *out);

#endif
