/* Finds limits that contradict the order whatever the offsets are: the latencies between the two
 * ends of such a limit exceed it, alone or together with other limits. */
#ifndef ORDER_LIMITS_H
#define ORDER_LIMITS_H

#include "clock/points.h"

/* Find a limit in such a contradiction; *out is NULL if there is none. order is from visit_order. A
 * few passes of O(points + edges) each; 40 bytes a point. */
csy_status limits_contradicted(const struct points *points, const uint32_t *order,
                               const struct order_limit **out, csy_error *error);

#endif
