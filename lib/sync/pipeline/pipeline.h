/* The pipeline, for records that a function may change as they are read. */
#ifndef SYNC_PIPELINE_PIPELINE_H
#define SYNC_PIPELINE_PIPELINE_H

#include "clock/timeline.h"
#include "sync/solution.h"

/* Like csy_trace_synchronize, for records that `prepare` changes (clock/timeline.h); NULL:
 * unchanged. Events of *out can be read only while `user` is valid. */
csy_status pipeline_solve(csy_trace *trace, const csy_options *options,
                          csy_status (*prepare)(void *user, struct record *record,
                                                csy_error *error),
                          void *user, csy_sync **out, csy_error *error);

#endif
