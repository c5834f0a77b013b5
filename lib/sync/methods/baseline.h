/*
 * The methods to compare with: Lamport's clocks and least squares.  cellsync-model(7), Other
 * methods.
 *
 * They read the same events as ours and leave a solution without bounds: sync/events.h gives its
 * global times, from one offset a thread (least squares) or record by record (Lamport).
 */
#ifndef SYNC_METHODS_BASELINE_H
#define SYNC_METHODS_BASELINE_H

#include "sync/solution.h"

/* Fill in a solution whose method and rules are set, all but its damage. */
csy_status baseline_solve(struct csy_trace *trace, struct csy_sync *sync,
                          const struct progress *progress, csy_error *error);

#endif
