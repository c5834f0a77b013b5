/* The chains of records that set the ends of a bound, as text: --explain. */
#ifndef TOOL_EXPLAIN_H
#define TOOL_EXPLAIN_H

#include "tool/progress.h"

/* Print to standard output which chains of records prevent a closer bound of two clocks. Clears the
 * progress line first. */
csy_status explain_clocks(csy_trace *trace, csy_sync *sync, size_t s, size_t t,
                          struct progress_line *progress, csy_error *error);

/* The same for two names, "A,B". The name of a thread stands for its clock. CSY_USAGE if the names
 * do not stand for two different clocks. */
csy_status explain_named(csy_trace *trace, csy_sync *sync, const char *pair,
                         struct progress_line *progress, csy_error *error);

#endif
