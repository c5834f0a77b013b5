/* The error message for a trace whose end is missing. */
#ifndef TRACE_CUT_H
#define TRACE_CUT_H

#include <cellsync/cellsync.h>

/* Set an error such as "WHY; 12 whole records precede it", and return CSY_INPUT. `unit` is a
 * singular noun, such as "record". If salvage_helps is true, the message mentions --salvage. */
csy_status cut_refuse(const csy_cut *cut, const char *unit, bool salvage_helps, csy_error *error);

#endif
