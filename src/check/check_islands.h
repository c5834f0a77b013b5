/*
 * Proof of the places of clocks that the reference does not bound both ways: cellsync-model(7),
 * Partial orders.
 *
 * Components are told apart, and their insides proved, by ends from a reference of their own, which
 * walks over the points find.  They are where they have to be, on turns from the reference's
 * component on: after those placed as early as they can be, if those placed reach them by points
 * that are kept with equality, with what is added; before them as late as they can be, the same the
 * other way.  What is left begins where the reference's component does.
 */
#ifndef CHECK_CHECK_ISLANDS_H
#define CHECK_CHECK_ISLANDS_H

#include "check/check.h"
#include "clock/points.h"

/* Points in global time, in their order; the ends of the table's bounds are known.  *left: clocks
 * whose places would have taken too long to prove, and are not.  CSY_CHECK where one is wrong.
 * Twice as many walks over the points as there are components, and some for each turn. */
csy_status check_islands(struct check *check, const struct points *points, const uint32_t *order,
                         size_t tau, size_t *left, csy_error *error);

#endif
