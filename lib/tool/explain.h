/* --explain: prints the sequences of records that limit the difference between two clocks. */
#ifndef TOOL_EXPLAIN_H
#define TOOL_EXPLAIN_H

#include "tool/progress.h"

/* Clear the progress line. Print to standard output the sequences of records that limit the
 * difference between clocks s and t. */
csy_status explain_clocks(csy_trace *trace, csy_sync *sync, size_t s, size_t t,
                          struct progress_line *progress, csy_error *error);

/* Call explain_clocks for two names, "A,B". The name of a thread stands for its clock. Returns
 * CSY_USAGE unless the names stand for two different clocks. */
csy_status explain_named(csy_trace *trace, csy_sync *sync, const char *pair,
                         struct progress_line *progress, csy_error *error);

#endif
