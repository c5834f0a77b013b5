/* Tests whether the records of a CSV are sorted by thread or by time, which is unlikely for records
 * that were written to shared memory. See doc/diagnosis.md, Causes.
 *
 * If nothing was added to constraints, no pass is needed for time: timestamps never step back if
 * and only if the constraints of neighbours allow all clocks to be equal. The results of the engine
 * show that. */
#ifndef SYNC_LINE_SORTED_H
#define SYNC_LINE_SORTED_H

#include "sync/solution.h"

/* How records are sorted. By thread: no thread begins before the previous one has ended. by_time:
 * no local time is below the previous one. CSY_SORTED_NOT for fewer than 13 records, or fewer than
 * four for each thread. O(T). */
csy_sorted sorted_as(const struct threads *threads, uint64_t records, bool by_time);

/* True if a pass over the trace must find out whether records are sorted by time: if clocks may
 * drift, equal clocks may satisfy all constraints although timestamps step back. */
bool sorted_must_measure(const struct csy_sync *sync);

/* Set sync->order.sorted. If there are too few records for that, but at least 4 with 3 changes of
 * the clock, note whether they may be sorted by time. Without bounds, only threads count. measured:
 * measure_solution has read the records. O(T W) with a sweep, O(T^2) dense. */
void sorted_judge(struct csy_sync *sync, bool measured);

#endif
