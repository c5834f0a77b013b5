/* A trace of messages and operations that is read again for every use of its points, which are not
 * held (order/replay.h). Memory grows only with messages and operations that are not complete. */
#ifndef SYNC_PARTIAL_REPLAYED_H
#define SYNC_PARTIAL_REPLAYED_H

#include "graph/reduce.h"
#include "sync/replay_kept.h"
#include "sync/solution.h"

struct age_matrix;
struct replay_before;
struct replay_event;
struct replay_visitor;

/* Make the pairs as graph/reduce.h does, and the points that they refer to. CSY_IO, and `failed`
 * set, if that is not possible. */
csy_status replayed_pairs(const struct csy_sync *sync, const struct reduce_window *window,
                          struct points *points, struct pairs *pairs, csy_error *error);

/* Pass the constraints of all points to `ages`. *good is false, with CSY_OK, if that is not
 * possible: a begin of an operation is below the previous event of its location, or the matrix
 * would become too large (graph/age_matrix.h). */
csy_status replayed_rates(const struct csy_sync *sync, const struct reduce_window *window,
                          struct age_matrix *ages, bool *good, csy_error *error);

/* Count inversions, as partial_measure does, and messages that are backward in global time. */
csy_status replayed_measure(struct csy_sync *sync, csy_error *error);

/* A message. Its number counts the messages in the order of the trace. Messages of channels with
 * missing receives are not passed on. */
struct replayed_message {
    uint32_t s, t; /* clocks */
    int64_t s_ticks, t_ticks;
    uint64_t number;
};
csy_status replayed_messages(const struct csy_sync *sync,
                             void (*take)(void *user, const struct replayed_message *message),
                             void *user, csy_error *error);

/* Read the trace once with the members of its groups (order/replay.h). */
csy_status replayed_pass(const struct csy_sync *sync, struct replay_visitor visitor, bool *good,
                         csy_error *error);

/* The place of an event as a point. */
struct instant replayed_instant(const struct csy_sync *sync, const struct replay_event *event);

/* The least time from a source to an event that it precedes. */
int64_t replayed_latency(const struct csy_sync *sync, const struct replay_before *before);

#endif
