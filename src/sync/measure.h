/* What global times do to the order of the records and to the distances within a thread. */
#ifndef SYNC_MEASURE_H
#define SYNC_MEASURE_H

#include "sync/solution.h"

/* Read the trace again with its global times: inversions into sync->imprecision, neighbours that
 * are wrong into sync->order and, where damage is asked for, sync->damage.  CSY_INPUT where a
 * damage leaves 64 bits. */
csy_status measure_solution(struct csy_trace *trace, struct csy_sync *sync, bool damage,
                            csy_error *error);

#endif
