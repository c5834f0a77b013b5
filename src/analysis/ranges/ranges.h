/* Ranges and their estimates. */
#ifndef ANALYSIS_RANGES_RANGES_H
#define ANALYSIS_RANGES_RANGES_H

#include <cellsync/analysis.h>

/* Where stamps are off they may step back, so that an estimate is what cannot be, such as a time
 * below 0; it is given as it is, and no range leaves it out. */
static inline void range_include_estimate(csy_range *range)
{
    if (range->kind == CSY_RANGE_UNKNOWN)
        return;
    range->lo = range->lo > range->estimate ? range->estimate : range->lo;
    range->hi = range->hi < range->estimate ? range->estimate : range->hi;
}

#endif
