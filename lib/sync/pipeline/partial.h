/*
 * The pipeline of a trace in partial order (struct csy_trace, partial):
 *
 *   events --order/match.h--> points --order/visit.h--> their order --graph/reduce.h--> pairs
 *     --graph/mincycle.h--> delta --graph/eliminate.h or search.h--> bounds --sync/islands.h-->
 *     offsets
 *
 * The trace is read once, and points are held, unless it is gone over again for them
 * (sync/partial/replayed.h).  cellsync-model(7), Partial orders.
 */
#ifndef SYNC_PIPELINE_PARTIAL_H
#define SYNC_PIPELINE_PARTIAL_H

#include "sync/partial_order.h"
#include "sync/solution.h"

/* Survey and solve.  CSY_INFEASIBLE with a witness; CSY_INPUT where the order is a cycle. */
csy_status partial_solve(struct csy_sync *sync, const csy_options *options,
                         const struct progress *progress, csy_error *error);

#endif
