/* Functions for writing sheets, shared by several formats. */
#ifndef OUTPUT_REPORT_REPORT_SHEETS_H
#define OUTPUT_REPORT_REPORT_SHEETS_H

#include "output/encode/cells.h"
#include "output/file/outfile.h"

/* The unit of times, to be followed by "of 1/HZ s". */
const char *sheets_unit(const csy_analysis *analysis);

csy_status sheets_tex(const csy_analysis *analysis, const csy_sync *sync, struct outfile *out,
                      csy_error *error);

/* Write sheets about calls as a graph or as folded stacks. CSY_USAGE for other sheets. */
csy_status sheets_dot(const csy_analysis *analysis, const csy_sync *sync, struct outfile *out,
                      csy_error *error);
csy_status sheets_folded(const csy_analysis *analysis, struct outfile *out, csy_error *error);

#endif
