/* Solves a trace, and may change its records as they are read. */
#ifndef SYNC_PIPELINE_PIPELINE_H
#define SYNC_PIPELINE_PIPELINE_H

#include "clock/timeline.h"
#include "sync/solution.h"

/* Do the same as csy_trace_synchronize, but call `prepare` (unless NULL) to change each record as
 * it is read (clock/timeline.h). Events of *out can be read only while `user` is valid. */
csy_status pipeline_solve(csy_trace *trace, const csy_options *options,
                          csy_status (*prepare)(void *user, struct record *record,
                                                csy_error *error),
                          void *user, csy_sync **out, csy_error *error);

/* Read and solve a trace in partial order. Returns CSY_INFEASIBLE, and sets the witness, if
 * constraints contradict each other. Returns CSY_INPUT if the order is cyclic. */
csy_status partial_solve(struct csy_sync *sync, const csy_options *options,
                         const struct progress *progress, csy_error *error);

#endif
