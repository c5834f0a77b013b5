/* The XML of a synchronized trace: the bytes of the document with its <synchronization> table. */
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

/* Whether a document can name this record file: XML has no control characters but three, and no
 * bytes that are not UTF-8. */
bool synctable_can_name(const char *href);

/* Write the document of trace: its own bytes, in which clock kind="global" and the trace_file are
 * set as given, and the table is the root's last child.  O(document); the table is streamed. */
csy_status synctable_write(const struct csy_trace *trace, const struct csy_sync *sync,
                           const struct trace_file *file, struct outfile *out, csy_error *error);

#endif
