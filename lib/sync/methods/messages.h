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

/* Stamps are within this, and so must latencies be. */
#define MESSAGE_LATENCY_MAX ((int64_t)1 << 58)

/* CSY_INPUT: one is not. */
csy_status messages_refuse_latency(const struct csy_sync *sync, csy_error *error);

/* Move clocks that nothing connects to the anchor so that they begin where those do that are: by
 * their least global times.  root: by clock one of those connected, the same for all of them.
 * Counts those moved in summary.unbounded_threads.  CSY_INPUT where g leaves 64 bits. */
csy_status messages_align(struct csy_sync *sync, const uint32_t *root, uint32_t anchor, int64_t *g,
                          csy_error *error);

#endif
