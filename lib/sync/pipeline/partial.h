/* Solves a trace in partial order (csy_trace.partial):
 *
 *    events --order/match.h--> points --order/visit.h--> their order --graph/reduce.h--> pairs
 *    --graph/mincycle.h--> delta --graph/eliminate.h or search.h--> bounds --sync/islands.h-->
 *    offsets
 *
 * The trace is read once and its points are held, or it is read several times without holding them
 * (sync/partial/replayed.h). See doc/algorithms.md, Partial orders. */
#ifndef SYNC_PIPELINE_PARTIAL_H
#define SYNC_PIPELINE_PARTIAL_H

#include "sync/partial_order.h"
#include "sync/solution.h"

/* Survey and solve. CSY_INFEASIBLE with a witness; CSY_INPUT if the order has a cycle. */
csy_status partial_solve(struct csy_sync *sync, const csy_options *options,
                         const struct progress *progress, csy_error *error);

#endif
