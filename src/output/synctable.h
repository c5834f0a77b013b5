/* The XML of a synchronized trace: the parsed document with its <synchronization> table. */
#ifndef OUTPUT_SYNCTABLE_H
#define OUTPUT_SYNCTABLE_H

#include "output/outfile.h"
#include "sync/solution.h"

/* Write the document of trace anew: clock kind="global", trace_file with this href (NULL: embedded),
 * and the table as the root's last child, with the CRC-32 of the original records.  The document itself is left as it was.  O(document), and
 * the table is streamed. */
csy_status synctable_write(const struct csy_trace *trace, const struct csy_sync *sync,
                           const char *href, uint32_t original_crc32, struct outfile *out,
                           csy_error *error);

#endif
