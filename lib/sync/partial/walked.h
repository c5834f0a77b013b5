/* Reads traces of messages and operations without storing points (begins and ends of records).
 * Instead, each use of points reads the trace again (order/walk.h). Memory grows only with
 * incomplete messages and operations. */
#ifndef SYNC_PARTIAL_WALKED_H
#define SYNC_PARTIAL_WALKED_H

#include "graph/reduce.h"
#include "sync/partial_order.h"
#include "sync/solution.h"

struct age_matrix;
struct order_walk_before;
struct order_walk_event;
struct order_walk_visitor;

/* Read the trace again. Make the same pairs of clocks that limit each other as graph/reduce.h, and
 * the points that the pairs refer to. If the trace cannot be read as before, set
 * partial->walked->failed and return CSY_IO. */
csy_status walked_pairs(const struct csy_sync *sync, const struct reduce_window *window,
                        struct points *points, struct pairs *pairs, csy_error *error);

/* Add all constraints to the matrix `ages`. *good is false if the matrix becomes too large, or an
 * operation may begin before its location's previous event. */
csy_status walked_rates(const struct csy_sync *sync, const struct reduce_window *window,
                        struct age_matrix *ages, bool *good, csy_error *error);

/* Count inversions, and messages received before they are sent, in one pass over the trace. */
csy_status walked_measure(struct csy_sync *sync, csy_error *error);

/* A message, numbered in trace order. Channels with more sends than receives are left out. */
struct walked_message {
    uint32_t s, t; /* clocks of sender and receiver */
    int64_t s_ticks, t_ticks;
    uint64_t number;
};
csy_status walked_messages(const struct csy_sync *sync,
                           void (*take)(void *user, const struct walked_message *message),
                           void *user, csy_error *error);

/* Read the trace once, and pass its events to the visitor, together with the stored members of
 * groups. *good is false if the locations cannot be read separately, or if events wait for each
 * other or for missing events. */
csy_status walked_pass(const struct csy_sync *sync, struct order_walk_visitor visitor, bool *good,
                       csy_error *error);

/* Returns a point for an event, with times of the clock plus its rough offset (order/rebase.h). */
struct instant walked_instant(const struct csy_sync *sync, const struct order_walk_event *event);

/* Returns the latency, in ticks, of the edge that *before describes. */
int64_t walked_latency(const struct csy_sync *sync, const struct order_walk_before *before);

#endif
