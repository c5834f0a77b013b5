/*
 * Collective operations while a trace is gone over again (order/replay.h): which member's end waits
 * for whose begin, and what comes before it.
 *
 * The k-th operation of a group on each of its members is one instance, as order/match_members.c
 * has it.  Of instances those are held of which some member has not ended.  It is for traces whose
 * members are all there, and agree, which order/meet_members.h has shown.
 */
#ifndef ORDER_REPLAY_OPERATIONS_H
#define ORDER_REPLAY_OPERATIONS_H

#include "order/replay_event.h"

struct operations;

/* visitor: stays.  wake: a location whose end waited may go on. */
struct operations_rules {
    const struct replay_visitor *visitor;
    void (*wake)(void *user, uint32_t location);
    void *user;
};
csy_status operations_new(const struct operations_rules *rules, struct operations **out,
                          csy_error *error);
void operations_free(struct operations *operations);

/* Where a record of an operation belongs. */
struct operation_at {
    uint64_t instance;
    uint32_t group, member;
};

/* A record was read, in the order of its location; event: its begin.  *good false: it cannot be. */
csy_status operations_read(struct operations *operations, const struct stream_item *item,
                           const struct replay_event *event, struct operation_at *at, bool *good,
                           csy_error *error);

/* Its location has come to it: its begin is visited, if it has one that was not. */
csy_status operations_begin(struct operations *operations, const struct operation_at *at,
                            const struct replay_event *event, csy_error *error);

/* And its end, unless *blocked, as others have to begin first: then its location waits. */
csy_status operations_end(struct operations *operations, const struct operation_at *at,
                          const struct replay_event *event, bool *blocked, csy_error *error);

/* Those that something may still come after. */
void operations_each(const struct operations *operations,
                     void (*each)(void *user, struct replay_source *source), void *user);

#endif
