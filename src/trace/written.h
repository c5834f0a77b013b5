/* What is written and never read: a message says so where such a file is given as a trace. */
#ifndef TRACE_WRITTEN_H
#define TRACE_WRITTEN_H

#include "trace/source.h"

/* CSY_INPUT, with the file's name and what it is, where a file that begins like this is a JSON, a
 * Perfetto trace, an HTML page, a graph, a text report or a table for TeX. */
csy_status written_refuse(const struct head *head, csy_error *error);

#endif
