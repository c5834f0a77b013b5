/*
 * Lamport's clocks in partial order: global times that follow messages, groups and whatever else
 * orders records.  cellsync-model(7), Other methods.
 *
 *   counters:  time(e) = the greatest time(record known to be before e) + 1, or 0
 *   clock:     time(e) = the greatest of
 *                time(record before e in a chain) + 1,
 *                time(instant that an edge leads to e from) + max(latency, 1),
 *                time(record before e on its location) + local time since, if by the same clock
 *
 * Hubs and flushes only hand on what comes before them.  A begin that follows the record before it
 * on its location by the same clock is that much later than it; of any other nothing is known but,
 * where it is the first of its location, that it is not before 0.
 */
#ifndef SYNC_METHODS_LOGICAL_H
#define SYNC_METHODS_LOGICAL_H

#include "sync/solution.h"

/* Set sync->times of a solution whose points are ordered, every record being stored
 * (match_store_all).  CSY_INPUT where a time leaves 64 bits.  O(points + edges); 8 bytes a point
 * besides, 8 a record stay. */
csy_status logical_place(struct csy_sync *sync, csy_error *error);

#endif
