/* What global times do to the order of a trace that is no line. */
#ifndef SYNC_PARTIAL_PARTIAL_MEASURE_H
#define SYNC_PARTIAL_PARTIAL_MEASURE_H

#include "sync/partial_order.h"
#include "sync/solution.h"

/* Count inversions into sync->imprecision: records whose global time is below that of a record
 * known to come before them, latencies added; methods that place records one by one have none, by
 * their definitions.  Where it is wanted, damage into sync->damage and sync->correction, of
 * distances between a record and the next of its location by the same clock.  Reads the trace once
 * more.  O(records); 8 bytes a point.
 *
 * If clocks drift and only messages that matter are kept, either these messages show all
 * inversions, or sync->partial->lacks is set. */
csy_status partial_measure(struct csy_sync *sync, bool damage, const struct progress *progress,
                           csy_error *error);

#endif
