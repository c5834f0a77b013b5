/* The effects of global times on a loose trace, measured by a pass over its constraints. */
#ifndef SYNC_PARTIAL_LOOSE_MEASURE_H
#define SYNC_PARTIAL_LOOSE_MEASURE_H

#include "sync/partial_order.h"
#include "sync/solution.h"

/* Count inversions in sync->imprecision: events with a global time below the global time of an
 * event that one of their constraints puts before them, plus the latency. Also count messages that
 * are received before they are sent, in sync->partial->ours. Reads the trace once; 8 bytes for each
 * inversion, besides the pending messages. */
csy_status loose_measure(struct csy_sync *sync, const struct progress *progress, csy_error *error);

#endif
