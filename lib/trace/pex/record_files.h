/* The files that hrefs of a .pex name. */
#ifndef TRACE_PEX_RECORD_FILES_H
#define TRACE_PEX_RECORD_FILES_H

#include "trace/trace.h"

/* Open the regular file that an href names, beside the .pex or, where that is a link, beside what
 * it leads to; trace->files gets it.  The caller closes *fd, unless it is -1, and frees *name, once
 * the trace is freed; also after a failure. */
csy_status record_file_open(struct csy_trace *trace, const char *href, char **name, int *fd,
                            uint64_t *bytes, csy_error *error);

/* CSY_INPUT where two of trace->files are one file. */
csy_status record_files_part(const struct csy_trace *trace, csy_error *error);

#endif
