/* The XML of a synchronized trace: the parsed document with its <synchronization> table. */
#ifndef OUTPUT_SYNCTABLE_H
#define OUTPUT_SYNCTABLE_H

#include "output/outfile.h"
#include "sync/solution.h"

/* What the document says of the records. */
struct trace_file {
    const char *href; /* NULL: embedded */
    bool gzip;
    uint32_t original_crc32;
};

/* Write the document of trace anew: clock kind="global", trace_file as given, and the table as
 * the root's last child.  The document itself is left as it was.  O(document), and the table is
 * streamed. */
csy_status synctable_write(const struct csy_trace *trace, const struct csy_sync *sync,
                           const struct trace_file *file, struct outfile *out, csy_error *error);

#endif
