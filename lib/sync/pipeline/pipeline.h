/* The pipeline, for records that a function may change while they are read. */
#ifndef SYNC_PIPELINE_PIPELINE_H
#define SYNC_PIPELINE_PIPELINE_H

#include "clock/timeline.h"
#include "sync/solution.h"

/* As csy_trace_synchronize, for records changed by the `prepare` of a timeline (clock/timeline.h);
 * NULL: unchanged. Events of *out can be read only while user is valid. */
csy_status pipeline_solve(csy_trace *trace, const csy_options *options,
                          csy_status (*prepare)(void *user, struct record *record,
                                                csy_error *error),
                          void *user, csy_sync **out, csy_error *error);

#endif
