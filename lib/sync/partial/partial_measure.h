/* How global times change the order of a trace in partial order. */
#ifndef SYNC_PARTIAL_PARTIAL_MEASURE_H
#define SYNC_PARTIAL_PARTIAL_MEASURE_H

#include "sync/partial_order.h"
#include "sync/solution.h"

/* Count inversions in sync->imprecision: records with a global time below the time of a preceding
 * record plus latencies. Methods that place single records have none. If damage is true, also set
 * sync->damage and sync->correction, from distances between successive records of a location on the
 * same clock. Reads the trace once more. O(records); 8 bytes for each point. */
csy_status partial_measure(struct csy_sync *sync, bool damage, const struct progress *progress,
                           csy_error *error);

/* Measure a loose trace likewise. Counts inversions in sync->imprecision, and messages that are
 * received before they are sent in sync->partial->ours. Reads the trace once. Takes 8 bytes for
 * each inversion, and the pending messages. */
csy_status loose_measure(struct csy_sync *sync, const struct progress *progress, csy_error *error);

#endif
