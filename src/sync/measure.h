/* What global times do to the order of the records and to the distances within a thread. */
#ifndef SYNC_MEASURE_H
#define SYNC_MEASURE_H

#include "sync/solution.h"

/* Whether global times must be looked at, if no caller wants it: delta = 0 leaves no inversion, and
 * no wrong neighbours, but a thread's own step back, which paper mode overlooks, and an offset a
 * thread no damage. */
bool measure_must(const struct csy_sync *sync, bool wanted);

/* Read the trace again with its global times: inversions into sync->imprecision, neighbours that
 * are wrong into sync->order, sync->by_time and, where damage is asked for, sync->damage.
 * CSY_INPUT where a damage leaves 64 bits. */
csy_status measure_solution(struct csy_trace *trace, struct csy_sync *sync, bool damage,
                            csy_error *error);

#endif
