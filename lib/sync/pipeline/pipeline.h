/* The pipeline, for records that are not as they are in the file. */
#ifndef SYNC_PIPELINE_PIPELINE_H
#define SYNC_PIPELINE_PIPELINE_H

#include "clock/timeline.h"
#include "sync/solution.h"

/* csy_trace_synchronize of records that a timeline's prepare has made (clock/timeline.h), NULL: as
 * they are.  No events can be read of *out once user is gone. */
csy_status pipeline_solve(csy_trace *trace, const csy_options *options,
                          csy_status (*prepare)(void *user, struct record *record,
                                                csy_error *error),
                          void *user, csy_sync **out, csy_error *error);

#endif
