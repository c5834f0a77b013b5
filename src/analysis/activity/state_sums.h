/* Sums of times in states, and their shares. */
#ifndef ANALYSIS_ACTIVITY_STATE_SUMS_H
#define ANALYSIS_ACTIVITY_STATE_SUMS_H

#include <cellsync/analysis.h>

/* The sum of some states of a row, the first ones or those after them.  An estimate that leaves 64
 * bits is INT64_MAX: there is no such figure. */
csy_range state_sum(const csy_range *ranges, size_t first, size_t end);

/* a / (a + b) in millionths. */
csy_range state_share(const csy_range *a, const csy_range *b);

#endif
