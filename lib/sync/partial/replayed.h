/*
 * A trace of messages and operations whose points are not held (order/replay.h): it is gone over
 * again for whatever is asked of them, in memory that goes with what is under way.
 */
#ifndef SYNC_PARTIAL_REPLAYED_H
#define SYNC_PARTIAL_REPLAYED_H

#include "graph/reduce.h"
#include "sync/replay_kept.h"
#include "sync/solution.h"

struct age_matrix;
struct replay_before;
struct replay_event;
struct replay_visitor;

/* Pairs as graph/reduce.h has them, of the points that they are from.  CSY_IO, and failed set,
 * where that cannot be. */
csy_status replayed_pairs(const struct csy_sync *sync, const struct reduce_window *window,
                          struct points *points, struct pairs *pairs, csy_error *error);

/* The constraints of all points go to `ages`.  *good false, with CSY_OK: they can not, as a begin
 * of an operation is earlier than what is before it on its location, or as that would become great
 * (graph/age_matrix.h). */
csy_status replayed_rates(const struct csy_sync *sync, const struct reduce_window *window,
                          struct age_matrix *ages, bool *good, csy_error *error);

/* Count inversions, as partial_measure does, and messages that are backward by our times. */
csy_status replayed_measure(struct csy_sync *sync, csy_error *error);

/* Every message, but those of channels of which receives are missing: its records, and its number,
 * which is as messages are in the trace. */
struct replayed_message {
    uint32_t s, t; /* clocks */
    int64_t s_ticks, t_ticks;
    uint64_t number;
};
csy_status replayed_messages(const struct csy_sync *sync,
                             void (*take)(void *user, const struct replayed_message *message),
                             void *user, csy_error *error);

/* A pass with the members of groups (order/replay.h). */
csy_status replayed_pass(const struct csy_sync *sync, struct replay_visitor visitor, bool *good,
                         csy_error *error);

/* The point of an event. */
struct instant replayed_instant(const struct csy_sync *sync, const struct replay_event *event);

/* By how much at least what comes before something is before it. */
int64_t replayed_latency(const struct csy_sync *sync, const struct replay_before *before);

#endif
