/* The XML of a synchronized trace: the document with a <synchronization> table. */
#ifndef OUTPUT_TRACE_SYNCTABLE_H
#define OUTPUT_TRACE_SYNCTABLE_H

#include "output/file/outfile.h"
#include "sync/solution.h"

/* How the document refers to its records: one file for each buffer. */
struct trace_file {
    char **hrefs; /* NULL: embedded */
    bool gzip;
    uint32_t original_crc32;
};

/* True if a document can contain the name of this record file: XML excludes all but three control
 * characters, and bytes that are not UTF-8. */
bool synctable_can_name(const char *href);

/* Write the document of trace: its own bytes, with clock kind="global", the given trace_files, and
 * the table as the root's last child. O(document); the table is streamed. */
csy_status synctable_write(const struct csy_trace *trace, const struct csy_sync *sync,
                           const struct trace_file *file, struct outfile *out, csy_error *error);

/* A checksum of how the records were made, according to this document with this name, and of the
 * original records. O(threads). */
uint32_t synctable_tag(const char *name, const struct csy_trace *trace, const struct csy_sync *sync,
                       uint32_t original_crc32);

#endif
