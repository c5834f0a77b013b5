/*
 * Rows of the bounds graph out of the records of a sweep.  cellsync-model(7), The sweep.
 *
 * A vector holds `lanes` values a thread, [t * lanes + lane]; each lane is a problem of its own.
 * Values are replaced by
 *   from:  values[t] = min over s of values[s] + wbar(s,t)
 *   to:    values[t] = min over s of wbar(t,s) + values[s]
 * so that values of 0 at one thread and WALK_INF elsewhere become its row and its column.
 */
#ifndef GRAPH_ROWS_H
#define GRAPH_ROWS_H

#include "graph/sweep.h"

enum { ROWS_LANES = 16 };

/* lanes is 1 or ROWS_LANES; finite values begin within +-WALK_MAX.  False where one leaves the range of the
 * arithmetic.  O(T W) for each lane. */
bool rows_from(const struct sweep_graph *graph, int64_t *values, size_t lanes);
bool rows_to(const struct sweep_graph *graph, int64_t *values, size_t lanes);

#endif
