/* The chains of records that set the ends of a bound, as text: --explain. */
#ifndef TOOL_EXPLAIN_H
#define TOOL_EXPLAIN_H

#include "tool/progress.h"

/* Print to standard output why the bound of two clocks is not closer; clears the progress line
 * first. */
csy_status explain_clocks(csy_trace *trace, csy_sync *sync, size_t s, size_t t,
                          struct progress_line *progress, csy_error *error);

/* The same for "A,B"; names of threads stand for their clocks. CSY_USAGE if these are not two
 * clocks. */
csy_status explain_named(csy_trace *trace, csy_sync *sync, const char *pair,
                         struct progress_line *progress, csy_error *error);

#endif
