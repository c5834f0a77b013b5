/*
 * Least squares over the messages of a trace in partial order.  cellsync-model(7), Least squares.
 *
 *   minimize  sum (g[t] + hi(q) - g[s] - lo(p) - latency)^2
 *
 * over all messages that leave a clock s at p and reach another clock t at q.  Clocks that no
 * messages connect to the PPE, else to the first clock, are fitted among themselves, and begin
 * where these do.
 */
#ifndef SYNC_METHODS_MESSAGES_H
#define SYNC_METHODS_MESSAGES_H

#include "sync/solution.h"

/* Set the offsets of a solution whose points are ordered, and as summary.unbounded_threads how many
 * clocks nothing connects.  CSY_INPUT where numbers leave their types.  Time as leastsq_solve. */
csy_status messages_fit(struct csy_sync *sync, csy_error *error);

#endif
