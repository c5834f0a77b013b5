/* Reads traces of messages and operations without storing points: each use of points reads the
 * trace again (order/replay.h). Memory grows only with incomplete messages and operations. */
#ifndef SYNC_PARTIAL_REPLAYED_H
#define SYNC_PARTIAL_REPLAYED_H

#include "graph/reduce.h"
#include "sync/partial_order.h"
#include "sync/solution.h"

struct age_matrix;
struct replay_before;
struct replay_event;
struct replay_visitor;

/* Make pairs as graph/reduce.h does, and the points that the pairs refer to. If that is not
 * possible, set `failed` and return CSY_IO. */
csy_status replayed_pairs(const struct csy_sync *sync, const struct reduce_window *window,
                          struct points *points, struct pairs *pairs, csy_error *error);

/* Pass the constraints of all points to `ages`. *good becomes false, with CSY_OK, in two cases. A
 * begin of an operation may be below the previous event of its location, or the matrix may become
 * too large (graph/age_matrix.h). */
csy_status replayed_rates(const struct csy_sync *sync, const struct reduce_window *window,
                          struct age_matrix *ages, bool *good, csy_error *error);

/* Count inversions as partial_measure does, and messages that go backward in global time. */
csy_status replayed_measure(struct csy_sync *sync, csy_error *error);

/* A message. Numbers of messages follow the order of the trace. Channels with missing receives give
 * no messages. */
struct replayed_message {
    uint32_t s, t; /* clocks of sender and receiver */
    int64_t s_ticks, t_ticks;
    uint64_t number;
};
csy_status replayed_messages(const struct csy_sync *sync,
                             void (*take)(void *user, const struct replayed_message *message),
                             void *user, csy_error *error);

/* Read the trace once, together with the stored members of its groups (order/replay.h). */
csy_status replayed_pass(const struct csy_sync *sync, struct replay_visitor visitor, bool *good,
                         csy_error *error);

/* Convert an event to a point. */
struct instant replayed_instant(const struct csy_sync *sync, const struct replay_event *event);

/* Returns the least time that passes from a source of an event to the event. */
int64_t replayed_latency(const struct csy_sync *sync, const struct replay_before *before);

#endif
