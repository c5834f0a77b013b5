/* How global times change the order of a loose trace, from a pass over its constraints. */
#ifndef SYNC_PARTIAL_LOOSE_MEASURE_H
#define SYNC_PARTIAL_LOOSE_MEASURE_H

#include "sync/partial_order.h"
#include "sync/solution.h"

/* Count inversions in sync->imprecision: events whose global time is below that of a preceding
 * event plus the latency. Also count messages that are received before they are sent, in
 * sync->partial->ours. Reads the trace once. Takes 8 bytes for each inversion, and the pending
 * messages. */
csy_status loose_measure(struct csy_sync *sync, const struct progress *progress, csy_error *error);

#endif
