/*
 * Whether the records of a CSV are in an order that shared memory hardly gives: sorted by thread or
 * by time.  cellsync-model(7), Diagnosis.
 *
 * That they are sorted by time needs no pass of its own where nothing was added to constraints: no
 * stamp is below the one before it if and only if the constraints of neighbours allow all clocks to
 * be one, and the records of the engine say whether they do.
 */
#ifndef SYNC_LINE_SORTED_H
#define SYNC_LINE_SORTED_H

#include "sync/solution.h"

/* Whether no thread's records begin before those of another have ended.  Few records, below 13 or
 * four a thread, say nothing: CSY_SORTED_NOT.  by_time: no local time is below the one before.
 * O(T). */
csy_sorted sorted_as(const struct threads *threads, uint64_t records, bool by_time);

/* Whether only the trace itself tells, which must be measured: where clocks may drift, one time for
 * all may keep every constraint though stamps step back. */
bool sorted_must_measure(const struct csy_sync *sync);

/* Set the order of a solution.  Where records are too few for that, but at least 4 with 3 changes
 * from one clock to another, set whether they may be sorted by time.  A method without bounds is
 * judged by threads only.  measured: measure_solution has seen the records.  sweep: O(T W), dense:
 * O(T^2). */
void sorted_judge(struct csy_sync *sync, bool measured);

#endif
