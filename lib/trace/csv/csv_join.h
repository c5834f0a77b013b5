/* Joins CSV files: copies their rows to an unlinked temporary file, with one header. */
#ifndef TRACE_CSV_CSV_JOIN_H
#define TRACE_CSV_CSV_JOIN_H

#include "trace/trace.h"

/* Write the rows of all parts to *out, and set the places of the parts. Columns with the same
 * meaning become one column, with its name in the first part. Columns without a meaning become one
 * if they have the same name. Different comments of all parts come first. CSY_INPUT with file and
 * line if rows or comments do not fit together, if a thread is in two files, or, unless rows are in
 * no order, if two files send a key. Memory: the names of threads and sent keys. */
csy_status csv_join_write(struct csy_trace *trace, int *out, csy_error *error);

#endif
