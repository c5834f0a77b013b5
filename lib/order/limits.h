/* Finds limits that contradict the order for all offsets: the latencies between the two ends of
 * such a limit exceed the limit, alone or together with other limits. */
#ifndef ORDER_LIMITS_H
#define ORDER_LIMITS_H

#include "clock/points.h"

/* *out is a limit in such a contradiction, or NULL. order is the order of visit_order. A few passes
 * of O(points + edges) each; 40 bytes a point. */
csy_status limits_contradicted(const struct points *points, const uint32_t *order,
                               const struct order_limit **out, csy_error *error);

#endif
