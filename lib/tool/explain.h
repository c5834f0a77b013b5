/* The chains of records that set the ends of a bound, as text: --explain. */
#ifndef TOOL_EXPLAIN_H
#define TOOL_EXPLAIN_H

#include "tool/progress.h"

/* Print to standard output why the bound of two clocks is not closer; a line of progress is wiped
 * before. */
csy_status explain_clocks(csy_trace *trace, csy_sync *sync, size_t s, size_t t,
                          struct progress_line *progress, csy_error *error);

/* The same of "A,B", which may name threads for their clocks.  CSY_USAGE where these are not
 * two. */
csy_status explain_named(csy_trace *trace, csy_sync *sync, const char *pair,
                         struct progress_line *progress, csy_error *error);

#endif
