/* Reads the order of a loose trace (trace/trace.h). Points and edges are made only for constraints
 * that do not follow from other constraints of the same two clocks.
 *
 * A constraint e from a reading of clock s to a reading of clock t has the weight
 * w = x(to) - x(from) - latency. With rates within R, e follows from a constraint e' of the same
 * clocks if
 *
 *   w(e') + R (distance of the readings of s + distance of the readings of t) + margin <= w(e)
 *
 * The margin is 0 unless constraints may be joined at an end of e. The timestamp error relaxes a
 * chain of joined constraints p -> q -> r by 2 delta in all, but each constraint alone by 2 delta,
 * so the chain implies up to 2 delta more than its parts. The margin is therefore the window
 * W >= 2 delta for each joint end of e. Then a chain through e implies no more than three chains
 * together: the part before e, e', and the part after e.
 *
 * The first constraints are kept even if they follow from others, so small traces keep all of
 * them. */
#ifndef SYNC_PARTIAL_TIGHT_H
#define SYNC_PARTIAL_TIGHT_H

#include "sync/partial_order.h"
#include "sync/solution.h"

struct loose;
struct tight;

struct loose_order {
    struct loose *loose; /* receives events (order/loose.h); NULL if not started */
    struct tight *tight; /* keeps the constraints of the received events */
};

/* Start to read, or start again. sync->partial must have its match and close_ticks. A constraint is
 * dropped only if it follows from others at twice the 2 delta of the match. So a slightly greater
 * delta needs no new pass. Call loose_order_stop even after a failure. */
csy_status loose_order_start(struct loose_order *order, struct csy_sync *sync,
                             const csy_options *options, csy_error *error);
void loose_order_stop(struct loose_order *order);

/* Set the points of sync->partial after the last event. Returns CSY_INPUT for a wrong event. */
csy_status loose_order_finish(struct loose_order *order, struct csy_sync *sync, csy_error *error);

#endif
