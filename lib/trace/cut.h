/* Traces that are cut off: what is said of them. */
#ifndef TRACE_CUT_H
#define TRACE_CUT_H

#include <cellsync/cellsync.h>

/* Refuse it: "WHY; 12 whole records precede it", with a hint where salvage would help; unit is one
 * of them. */
csy_status cut_refuse(const csy_cut *cut, const char *unit, bool salvage_helps, csy_error *error);

#endif
