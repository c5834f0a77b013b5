/* What is said of an order that is none. */
#ifndef SYNC_PARTIAL_PARTIAL_CYCLE_H
#define SYNC_PARTIAL_PARTIAL_CYCLE_H

#include "order/visit.h"
#include "sync/solution.h"

/* CSY_INPUT with the records of the cycle. */
csy_status partial_refuse_cycle(const struct csy_sync *sync, const struct visit_cycle *cycle,
                                csy_error *error);

#endif
