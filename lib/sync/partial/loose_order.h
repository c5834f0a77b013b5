/* Reads the order of a loose trace (trace/trace.h): constraints of its events that matter become
 * points and edges. */
#ifndef SYNC_PARTIAL_LOOSE_ORDER_H
#define SYNC_PARTIAL_LOOSE_ORDER_H

#include "sync/partial_order.h"
#include "sync/solution.h"

struct loose;
struct tight;

struct loose_order {
    struct loose *loose; /* receives the events (order/loose.h); NULL: not started */
    struct tight *tight; /* receives their constraints */
};

/* Start to read, or start again. sync->partial has its match and close_ticks. Constraints are
 * sorted out for twice the 2 delta for which records are matched, so that a somewhat greater delta
 * needs no new pass. The caller calls loose_order_stop even after a failure. */
csy_status loose_order_start(struct loose_order *order, struct csy_sync *sync,
                             const csy_options *options, csy_error *error);
void loose_order_stop(struct loose_order *order);

/* After the last event: set the points of sync->partial. CSY_INPUT with the place. */
csy_status loose_order_finish(struct loose_order *order, struct csy_sync *sync, csy_error *error);

#endif
