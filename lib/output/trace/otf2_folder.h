/* Folders with an OTF2 archive: output/trace/trace_otf2.c. */
#ifndef OUTPUT_TRACE_OTF2_FOLDER_H
#define OUTPUT_TRACE_OTF2_FOLDER_H

#include "trace/trace.h"

/* Test whether an archive can be written to path: nothing is there, or an empty folder, or one that
 * contains only an OTF2 archive other than trace. CSY_USAGE for standard output; CSY_IO. */
csy_status otf2_check_target(const struct csy_trace *trace, const char *path, csy_error *error);

#endif
