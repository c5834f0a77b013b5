/* A cycle of threads -> the records that make it. */
#ifndef SYNC_WITNESS_H
#define SYNC_WITNESS_H

#include "graph/cycle.h"
#include "sync/solution.h"

/* Pass over the trace once more and fill sync->witness with the first records that attain the weight
 * of each edge of the cycle. */
csy_status witness_locate(struct csy_trace *trace, struct csy_sync *sync,
                          const struct constraints *c, const struct cycle *cycle,
                          csy_error *error);

#endif
