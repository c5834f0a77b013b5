/* The XML of a synchronized trace: the bytes of the document with its <synchronization> table. */
#ifndef OUTPUT_TRACE_SYNCTABLE_H
#define OUTPUT_TRACE_SYNCTABLE_H

#include "output/file/outfile.h"
#include "sync/solution.h"

/* What the document says of the records, of which it names one file a buffer. */
struct trace_file {
    char **hrefs; /* NULL: embedded */
    bool gzip;
    uint32_t original_crc32;
};

/* Whether a document can name this record file: XML has no control characters but three, and no
 * bytes that are not UTF-8. */
bool synctable_can_name(const char *href);

/* Write the document of trace: its own bytes, in which clock kind="global" and the trace_files are
 * set as given, and the table is the root's last child.  O(document); the table is streamed. */
csy_status synctable_write(const struct csy_trace *trace, const struct csy_sync *sync,
                           const struct trace_file *file, struct outfile *out, csy_error *error);

/* A checksum of what such a document, with this name, says of how the records were made, and what
 * they were.  O(threads). */
uint32_t synctable_tag(const char *name, const struct csy_trace *trace, const struct csy_sync *sync,
                       uint32_t original_crc32);

#endif
