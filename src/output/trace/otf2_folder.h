/* Folders that hold an OTF2 archive: output/trace/trace_otf2.c. */
#ifndef OUTPUT_TRACE_OTF2_FOLDER_H
#define OUTPUT_TRACE_OTF2_FOLDER_H

#include "trace/trace.h"

/* Whether an archive can stand there: nothing does, or an empty folder, or one that holds an OTF2
 * archive only, which is not that of trace.  CSY_USAGE for standard output, CSY_IO. */
csy_status otf2_check_target(const struct csy_trace *trace, const char *path, csy_error *error);

#endif
