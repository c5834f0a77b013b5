/* Checking folders for an OTF2 archive. */
#ifndef OUTPUT_TRACE_OTF2_FOLDER_H
#define OUTPUT_TRACE_OTF2_FOLDER_H

#include "trace/trace.h"

/* Test whether an archive can be written to path: nothing is there, or an empty folder, or a folder
 * that contains only an OTF2 archive other than trace. CSY_USAGE for standard output; CSY_IO. */
csy_status otf2_check_target(const struct csy_trace *trace, const char *path, csy_error *error);

#endif
