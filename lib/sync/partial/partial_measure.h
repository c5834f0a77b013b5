/* Measures how global times change the order of a trace in partial order. */
#ifndef SYNC_PARTIAL_PARTIAL_MEASURE_H
#define SYNC_PARTIAL_PARTIAL_MEASURE_H

#include "sync/partial_order.h"
#include "sync/solution.h"

/* Count inversions in sync->imprecision: records whose global time is below the time of a preceding
 * record plus latencies. If `damage` is true, also set sync->damage and sync->correction, which
 * takes another pass. This takes 8 bytes for each point. */
csy_status partial_measure(struct csy_sync *sync, bool damage, const struct progress *progress,
                           csy_error *error);

/* Read a loose trace once. Count inversions in sync->imprecision, and messages that are received
 * before they are sent in sync->partial->ours. This takes 8 bytes for each inversion, and memory
 * for pending messages. */
csy_status loose_measure(struct csy_sync *sync, const struct progress *progress, csy_error *error);

#endif
