/* The part of a report that tells how more records would change the bounds. */
#ifndef OUTPUT_REPORT_REPORT_ADVICE_H
#define OUTPUT_REPORT_REPORT_ADVICE_H

#include "output/file/outfile.h"
#include "sync/solution.h"

/* Write the advice as a block of text, with names padded to a width; as a JSON member with its
 * comma; or as an HTML section. Writes nothing unless csy_sync_advise was called. */
void advice_text(const struct csy_sync *sync, int columns, struct outfile *out);
void advice_json(const struct csy_sync *sync, struct outfile *out);
void advice_html(const struct csy_sync *sync, struct outfile *out);

#endif
