/* The effects of global times on a loose trace, measured by a pass over its constraints. */
#ifndef SYNC_PARTIAL_LOOSE_MEASURE_H
#define SYNC_PARTIAL_LOOSE_MEASURE_H

#include "sync/partial_order.h"
#include "sync/solution.h"

/* Count inversions in sync->imprecision. An event is an inversion if one of its constraints puts
 * another event before it, and its global time is less than the global time of that event plus the
 * latency. Also count messages that are received before they are sent, in sync->partial->ours.
 * Reads the trace once. Memory: 8 bytes for each inversion, and the pending messages. */
csy_status loose_measure(struct csy_sync *sync, const struct progress *progress, csy_error *error);

#endif
