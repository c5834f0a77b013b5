/* Tests if the records of a CSV are sorted by thread or by time, which is unlikely for records
 * written to shared memory. See doc/diagnosis.md, Causes.
 *
 * If nothing was added to constraints, sorting by time needs no separate pass: no timestamp is
 * below the one before it if and only if the constraints of neighbours allow all clocks to be
 * equal, which the engine's records show. */
#ifndef SYNC_LINE_SORTED_H
#define SYNC_LINE_SORTED_H

#include "sync/solution.h"

/* The kind of sorting. By thread: no thread begins before the previous one has ended. by_time: no
 * local time is below the one before it. CSY_SORTED_NOT for fewer than 13 records, or fewer than
 * four for each thread. O(T). */
csy_sorted sorted_as(const struct threads *threads, uint64_t records, bool by_time);

/* True if sorting by time requires a pass over the trace: if clocks may drift, equal clocks may
 * satisfy every constraint although timestamps step back. */
bool sorted_must_measure(const struct csy_sync *sync);

/* Set the order of a solution. If there are too few records for that, but at least 4 with 3
 * changes of the clock, note whether they may be sorted by time. A method without bounds is
 * judged by threads only. measured: measure_solution has read the records. O(T W) with a sweep,
 * O(T^2) dense. */
void sorted_judge(struct csy_sync *sync, bool measured);

#endif
