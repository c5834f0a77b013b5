/* Tests whether the records of a CSV are sorted by thread or by time. Records in the order in which
 * they were written to shared memory are unlikely to be sorted. See doc/diagnosis.md, Causes.
 * Unless delta was added to constraints, records are sorted by time if and only if all constraints
 * permit equal clocks. So the engine's results suffice, without another pass. */
#ifndef SYNC_LINE_SORTED_H
#define SYNC_LINE_SORTED_H

#include "sync/solution.h"

/* Returns how records are sorted: by thread if no two threads overlap, or by time if by_time is
 * true; CSY_SORTED_NOT if there are fewer than 13 records, or four for each thread. O(T). */
csy_sorted sorted_as(const struct threads *threads, uint64_t records, bool by_time);

/* Returns true if only a pass over the trace can tell whether records are sorted by time. This is
 * so if clocks may drift or delta was added to constraints. */
bool sorted_must_measure(const struct csy_sync *sync);

/* Set sync->order.sorted or, with few records, only sync->perhaps_sorted. `measured` tells whether
 * measure_solution has set by_time. O(T W) with a sweep, O(T^2) with the dense engine, for T
 * threads, W of them live at once. */
void sorted_judge(struct csy_sync *sync, bool measured);

#endif
