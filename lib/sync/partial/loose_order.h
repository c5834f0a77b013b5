/* Reads the order of a loose trace (trace/trace.h): points and edges for those constraints that do
 * not follow from others. */
#ifndef SYNC_PARTIAL_LOOSE_ORDER_H
#define SYNC_PARTIAL_LOOSE_ORDER_H

#include "sync/partial_order.h"
#include "sync/solution.h"

struct loose;
struct tight;

struct loose_order {
    struct loose *loose; /* receives events (order/loose.h); NULL: not started */
    struct tight *tight; /* receives the constraints of these events */
};

/* Start to read, or start again. sync->partial must have its match and close_ticks. A constraint is
 * dropped only if it follows from others at twice the 2 delta of the match, so a slightly greater
 * delta needs no new pass. Call loose_order_stop even after a failure. */
csy_status loose_order_start(struct loose_order *order, struct csy_sync *sync,
                             const csy_options *options, csy_error *error);
void loose_order_stop(struct loose_order *order);

/* Set the points of sync->partial after the last event. CSY_INPUT, with the place of the event. */
csy_status loose_order_finish(struct loose_order *order, struct csy_sync *sync, csy_error *error);

#endif
