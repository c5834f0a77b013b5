/* Limits that the order contradicts whatever the clocks show: points and latencies that pass
 * between the two ends of a limit add up to more than it allows, alone or together with other
 * limits. */
#ifndef ORDER_LIMITS_H
#define ORDER_LIMITS_H

#include "clock/points.h"

/* *out: a limit of such a contradiction, or NULL. order is that of visit_order. O(points + edges)
 * for each of a few passes; 40 bytes a point. */
csy_status limits_contradicted(const struct points *points, const uint32_t *order,
                               const struct order_limit **out, csy_error *error);

#endif
