/* Tests whether the records of a CSV are sorted by thread or by time, which is unlikely for records
 * that were written to shared memory. See doc/diagnosis.md, Causes. If nothing was added to
 * constraints, the results of the engine suffice without a further pass. Timestamps never step back
 * if and only if the constraints of neighbours permit all clocks to be equal. */
#ifndef SYNC_LINE_SORTED_H
#define SYNC_LINE_SORTED_H

#include "sync/solution.h"

/* Returns how records are sorted. By thread: no thread begins before the previous one has ended.
 * The parameter `by_time` tells that no local time steps back. The result is CSY_SORTED_NOT for
 * fewer than 13 records, or fewer than four for each thread. O(T) for T threads. */
csy_sorted sorted_as(const struct threads *threads, uint64_t records, bool by_time);

/* Returns true if a pass over the trace must find out whether records are sorted by time. If clocks
 * may drift, equal clocks may satisfy all constraints although timestamps step back. */
bool sorted_must_measure(const struct csy_sync *sync);

/* Set sync->order.sorted. With too few records for a verdict, but at least 4 with 3 changes of the
 * clock, note that they may be sorted by time. Without bounds, records can only be sorted by
 * thread. The parameter `measured` is true if measure_solution has read the records. This takes O(T
 * W) with a sweep, and O(T^2) with the dense engine. */
void sorted_judge(struct csy_sync *sync, bool measured);

#endif
