/* Places records at which a clock may have been set.
 *
 * Such a record is treated as a clock of its own (trace/steps.h), which only the order of records
 * limits. But it belongs to the segment of the clock either before or after the step. So its global
 * time also lies in the union of the ranges that these two segments give. */
#ifndef SYNC_DRIFT_SET_RECORDS_H
#define SYNC_DRIFT_SET_RECORDS_H

#include "sync/solution.h"

/* Narrow the bounds of each such record to this union. Move the record to the place that alpha
 * chooses there, as far as the order allows; other clocks do not move. Records in a pair with a
 * group (hub) do not move either. All clocks must be placed and have bounds. O(pairs s) for s such
 * records. */
csy_status set_records_place(struct csy_sync *sync, csy_error *error);

#endif
