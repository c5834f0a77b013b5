/* The error message for a trace without its end. */
#ifndef TRACE_CUT_H
#define TRACE_CUT_H

#include <cellsync/cellsync.h>

/* Set an error such as "WHY; 12 whole records precede it (see --salvage)". Returns CSY_INPUT. */
csy_status cut_refuse(const csy_cut *cut, const char *unit, bool salvage_helps, csy_error *error);

#endif
