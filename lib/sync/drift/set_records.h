/* Records at which a clock may have been set.
 *
 * Such a record is a clock segment of its own (trace/steps.h), which only the order limits. But the
 * record belongs to the segment before the step or to the segment after it. So its global time also
 * lies in the union of the ranges that these two segments give. */
#ifndef SYNC_DRIFT_SET_RECORDS_H
#define SYNC_DRIFT_SET_RECORDS_H

#include "sync/solution.h"

/* Narrow the bounds of each such record to this union, and move the record to the place that alpha
 * chooses there. A record moves only as far as the order and the other clocks allow, because all
 * other clocks stay. A record with a constraint to a group that is a vertex of the pairs does not
 * move. All clocks must be placed and have bounds. O(pairs s) for s such records. */
csy_status set_records_place(struct csy_sync *sync, csy_error *error);

#endif
