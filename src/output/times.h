/* Global times as they are written. */
#ifndef OUTPUT_TIMES_H
#define OUTPUT_TIMES_H

#include "sync/solution.h"

/* The least global time where it is below 0, else 0: what formats count from whose times have no
 * sign.  O(threads). */
int64_t times_base(const struct csy_sync *sync);

/* The begin stamp in global time; where there is none, the field as it stood. */
uint64_t record_global_begin(const struct record *record, int64_t global_ticks,
                             int64_t local_ticks);

#endif
