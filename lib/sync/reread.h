/* Reads the solution of a synchronized trace (csy_trace_read_solution). */
#ifndef SYNC_REREAD_H
#define SYNC_REREAD_H

#include "clock/timeline.h"
#include "sync/solution.h"

/* Read the next event of a .pex. The table and the timestamps give its thread and its times. */
csy_status reread_record(const struct csy_sync *sync, struct timeline *timeline,
                         struct event *event, bool *more, csy_error *error);

/* Read the global time of an event from a .pex or a CSV. */
csy_status reread_global(const struct csy_sync *sync, const struct event *event, int64_t *global,
                         csy_error *error);

#endif
