/* Several CSV files as one: their rows are copied to a nameless temporary file, with one header. */
#ifndef TRACE_CSV_CSV_JOIN_H
#define TRACE_CSV_CSV_JOIN_H

#include "trace/trace.h"

/* Write the rows of all parts to *out, and set the places of the parts. Columns with one meaning
 * become one column, with its name in the first part, and also columns with one name and no
 * meaning. Comments of all parts come first, each different one once. CSY_INPUT with the file and
 * line if rows, or comments, do not fit together; if a thread is in two files; or if a key is sent
 * in two files, unless rows are in no order. Memory: the names of threads and of sent keys. */
csy_status csv_join_write(struct csy_trace *trace, int *out, csy_error *error);

#endif
