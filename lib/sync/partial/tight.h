/* Reads the order of a loose trace (trace/trace.h), where only the roles of events order them.
 * Points and edges are made only for constraints that do not follow from another constraint of the
 * same two clocks.
 *
 * A constraint e, from a reading of clock s to a reading of clock t, has the weight
 *
 *   w(e) = rebased time of the reading of t - rebased time of the reading of s - latency
 *
 * and is tighter if w(e) is smaller. If rates differ by at most R, e follows from a constraint e'
 * if
 *
 *   w(e') + R (distance of the readings of s + distance of the readings of t) + margin <= w(e)
 *
 * The margin is 0 unless constraints may be joined to a chain at an end of e. A chain is relaxed
 * only once by 2 delta (twice the timestamp error), so it may limit more than its single
 * constraints do. Therefore the margin contains the window, which is at least 2 delta, for each
 * such end.
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
    struct loose *loose; /* receives the events; NULL if reading has not started */
    struct tight *tight;
};

/* Begin to read events, or begin again. sync->partial->points.close_ticks must be set, and may
 * later grow to twice its value. The caller must call loose_order_stop, even after an error. */
csy_status loose_order_start(struct loose_order *order, struct csy_sync *sync,
                             const csy_options *options, csy_error *error);
void loose_order_stop(struct loose_order *order);

/* After the last event, set sync->partial->points. Returns CSY_INPUT if an event is wrong. */
csy_status loose_order_finish(struct loose_order *order, struct csy_sync *sync, csy_error *error);

#endif
