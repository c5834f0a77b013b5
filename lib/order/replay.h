/* Visits the events that matter for the order. Each event is visited after all events that precede
 * it. The visited events are the ends of messages, and the begins, hubs, and ends of collective
 * operations. If a message has begins, the begins of its ends are also visited, and the end of its
 * send. The trace must have locations that can be read separately (trace/streams.h). The events of
 * one location are visited in the order of the location.
 *
 * A pass stores only the messages and operations under way, and the events that were read ahead for
 * each location. The trace must satisfy the conditions of order/meet.h and order/meet_members.h,
 * except that it may contain contradictions. All locations are read at the same time. */
#ifndef ORDER_REPLAY_H
#define ORDER_REPLAY_H

#include "clock/points.h"
#include "order/meet_members.h"
#include "order/shared_ends.h"
#include "trace/streams.h"

/* The most locations that are read at the same time. */
enum { REPLAY_LOCATIONS_MOST = STREAMS_TOGETHER };

struct replay;

/* A source of edges that lead to later events: a send, the begin of an operation, or the hub of an
 * operation. */
struct replay_source {
    int64_t ticks;     /* the time of the source */
    int64_t value;     /* for the visitor */
    uint32_t point;    /* for the visitor; NO_POINT at first */
    uint32_t location; /* the location of the source; NO_LOCATION: a hub */
};

/* An edge from a source to an event. Earlier events of the same location also precede the event,
 * without such edges. */
struct replay_before {
    struct replay_source *source;
    enum edge_kind kind;
};

enum replay_kind {
    REPLAY_PLAIN, /* an event without a role */
    REPLAY_SEND,
    REPLAY_RECV,
    REPLAY_BEGIN,
    REPLAY_HUB,
    REPLAY_END
};

struct replay_event {
    struct replay *replay;
    /* The source of edges from this event to later events, or NULL. At most `leaves` events use it.
     * If `leaves` is 0, the source is valid until `forget` is called for it. */
    struct replay_source *own;
    uint32_t leaves;
    const struct replay_before *before;
    size_t nbefore;
    enum replay_kind kind;
    bool begins; /* this is the begin of an event; the end is visited separately */
    /* the point has the timestamp of this event, but may belong to another event (INSTANT_LOOSE) */
    bool loose;
    bool chained; /* earlier events of the location precede it: it is neither a begin nor loose */
    bool early;   /* a begin with a lower timestamp than the event before it on its location */
    uint32_t location; /* for a hub: the location of a member of the operation */
    uint32_t key;      /* the channel of a message or the group of an operation, numbered from 0 */
    /* Index of the event at its location. A begin has the position of its end, and a hub has
     * UINT64_MAX. */
    uint64_t position;
    uint64_t place; /* in the unit of the trace's source */
    int64_t ticks;  /* for a hub: 0 */
};

static inline bool replay_is_begin(const struct replay_event *event)
{
    return event->kind == REPLAY_BEGIN || event->begins;
}

struct replay_visitor {
    csy_status (*visit)(void *user, const struct replay_event *event, csy_error *error);
    /* For operations: called when no later event uses the source any more. May be NULL. */
    void (*forget)(void *user, struct replay_source *source);
    void *user;
    bool all; /* visit events without a role, too */
    /* All members that have operations, by groups and ranks. */
    const struct meet_member *members;
    size_t nmembers;
    const struct shared_keys *shared; /* channels that several locations share */
    bool exact; /* delta is 0: timestamps show which location sent or received */
};

/* True if a trace can be visited: it has few enough locations, which can be read separately. */
bool replay_can(struct csy_trace *trace);

/* Visit the trace once. *good is false, with CSY_OK, if the trace cannot be read, or if some events
 * could not be visited because they wait for each other or for events that do not exist. O(events
 * log locations). */
csy_status replay_run(struct csy_trace *trace, const struct replay_visitor *visitor, bool *good,
                      csy_error *error);

/* Call it during a visit: no more events are visited. */
void replay_stop(struct replay *replay);

/* Call it during a visit: lists all sources that a later event may follow, except the send of the
 * event itself. */
void replay_each_source(struct replay *replay,
                        void (*each)(void *user, struct replay_source *source), void *user);

/* Call it during a visit. It passes, for each location with more events, a time such that none of
 * these events is earlier; INT64_MIN if no event of the location was read yet. */
void replay_each_location(const struct replay *replay,
                          void (*each)(void *user, uint32_t location, int64_t least_ticks),
                          void *user);

/* An item with the key of an event, from which the source can make an event. */
struct stream_item replay_item(const struct replay_event *event);

#endif
