/* Reads traces of messages and collective operations without storing their events. Instead, the
 * trace is read again each time the events are needed (order/walk.h). Memory grows only with
 * messages and operations that are not complete yet. */
#ifndef SYNC_PARTIAL_WALKED_H
#define SYNC_PARTIAL_WALKED_H

#include "graph/reduce.h"
#include "sync/partial_order.h"
#include "sync/solution.h"

struct age_matrix;
struct order_walk_before;
struct order_walk_event;
struct order_walk_visitor;

/* Read the trace again. Find the same constraints between clocks as graph/reduce.h, and store the
 * events that they compare in `points`. If the trace has changed in the meantime, set
 * partial->walked->failed and return CSY_IO. */
csy_status walked_pairs(const struct csy_sync *sync, const struct reduce_window *window,
                        struct points *points, struct pairs *pairs, csy_error *error);

/* Add all constraints of the trace to the matrix `ages`. *good becomes false if this needs too much
 * memory. It also becomes false if an event may begin before the previous event of its location. */
csy_status walked_rates(const struct csy_sync *sync, const struct reduce_window *window,
                        struct age_matrix *ages, bool *good, csy_error *error);

/* Count inversions, and messages received before they are sent, in one pass over the trace. */
csy_status walked_measure(struct csy_sync *sync, csy_error *error);

/* Read the trace once, and pass each event to `visitor`. If locations cannot be read separately, or
 * if events wait for each other in a cycle or for an event that the trace lacks, the trace has
 * changed in the meantime: set partial->walked->failed and return CSY_IO. */
csy_status walked_pass(const struct csy_sync *sync, struct order_walk_visitor visitor,
                       csy_error *error);

/* Convert an event. Times in the result are local times plus a rough estimate of the clock's offset
 * (order/rebase.h). */
struct instant walked_instant(const struct csy_sync *sync, const struct order_walk_event *event);

/* Returns the least time, in ticks, from the event that *before describes to the event after it. */
int64_t walked_latency(const struct csy_sync *sync, const struct order_walk_before *before);

#endif
