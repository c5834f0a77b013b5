/*
 * The ends of messages of locations that can be read each by itself (trace/streams.h), one after
 * another: those of a location as it has them, and a receive after its send.
 *
 * This is a pass over the trace that holds no more than messages that are under way, and of each
 * location what was read ahead.  It is for traces of which all is known to be as order/meet.h wants
 * it, and whose locations are all read at once.
 */
#ifndef ORDER_REPLAY_H
#define ORDER_REPLAY_H

#include "clock/points.h"
#include "trace/streams.h"

struct replay;

/* A send, as its receive is to know it. */
struct replay_send {
    int64_t ticks;     /* when it was sent */
    int64_t value;     /* the visitor's, */
    uint32_t point;    /* and this */
    uint32_t location; /* that it is of */
};

struct replay_event {
    struct replay *replay;
    struct replay_send *send; /* of a send that which its receive gets, of a receive its send; else
                                 NULL */
    uint32_t location;
    uint32_t channel;  /* of messages: numbered from 0 as they come */
    uint8_t role;      /* STREAM_SEND, STREAM_RECV or STREAM_PLAIN */
    uint64_t position; /* of the events of its location */
    uint64_t place;    /* of messages, as the source has it */
    int64_t ticks;
};

struct replay_visitor {
    csy_status (*visit)(void *user, const struct replay_event *event, csy_error *error);
    void *user;
    bool all; /* events that are no ends of messages are visited, too */
};

/* Whether a trace can be read like this. */
bool replay_can(const struct csy_trace *trace);

/* Once over the trace.  *good false, with CSY_OK: it cannot be read, or some could not be visited,
 * as receives wait for each other, or for nothing.  O(events log locations). */
csy_status replay_run(struct csy_trace *trace, const struct replay_visitor *visitor, bool *good,
                      csy_error *error);

/* While an event is visited: it is the last one. */
void replay_stop(struct replay *replay);

/* The same: all sends under way but its own. */
void replay_each_send(struct replay *replay, void (*each)(void *user, struct replay_send *send),
                      void *user);

/* The end of a message, as the source can make an event of it. */
struct stream_item replay_item(const struct replay_event *event);

#endif
