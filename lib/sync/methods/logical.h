/* Lamport's clocks for partial orders: global times that follow messages, groups, and all other
 * edges. See doc/algorithms.md, Other methods.
 *
 *    counters:  time(e) = the greatest time(record known to precede e) + 1, or 0
 *    clock:     time(e) = the greatest of
 *                 time(previous record in a chain) + 1,
 *                 time(source of an edge to e) + max(latency, 1),
 *                 time(previous record of its location) + local time since, if by the same clock
 *
 * Hubs and flushes only pass on the times of their predecessors. If a begin follows the previous
 * record of its location on the same clock, it is later by their distance. Nothing is known of
 * other begins, except that the first one of a location is not before 0. */
#ifndef SYNC_METHODS_LOGICAL_H
#define SYNC_METHODS_LOGICAL_H

#include "sync/solution.h"

/* Set sync->times. The points must be ordered and contain every record (match_store_all). CSY_INPUT
 * if a time exceeds 64 bits. O(points + edges); 8 bytes a record, and temporarily 8 a point. */
csy_status logical_place(struct csy_sync *sync, csy_error *error);

#endif
