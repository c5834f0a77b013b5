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

/* The greatest number of locations that are read at the same time. */
enum { REPLAY_LOCATIONS_MOST = STREAMS_TOGETHER };

struct replay;

/* The source of edges to later events: a send, or the begin or the hub of an operation. */
struct replay_source {
    int64_t ticks;     /* the time of the source */
    int64_t value;     /* for use by the visitor */
    uint32_t point;    /* for use by the visitor; NO_POINT at first */
    uint32_t location; /* location of the source; NO_LOCATION for a hub */
};

/* An edge from a source to an event. Earlier events of the location precede the event without
 * edges. */
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
    /* Source of edges from this event to later events, or NULL. At most `leaves` events use the
     * source. If `leaves` is 0, it is valid until the function `forget` is called. */
    struct replay_source *own;
    uint32_t leaves;
    const struct replay_before *before;
    size_t nbefore;
    enum replay_kind kind;
    bool begins; /* true if this is the begin of an event; the end is visited separately */
    /* true if the point (INSTANT_LOOSE) may belong to another event than its timestamp */
    bool loose;
    bool chained;      /* true if earlier events of the location precede it: no begin, not loose */
    bool early;        /* true for a begin before the previous event of its location */
    uint32_t location; /* for a hub: location of one member of the operation */
    uint32_t key;      /* channel of a message or group of an operation, numbered from 0 */
    /* index of the event at its location; a begin has the index of its end, and a hub UINT64_MAX */
    uint64_t position;
    uint64_t place; /* offset or line, in the unit of the source of the trace */
    int64_t ticks;  /* time of the event; 0 for a hub */
};

static inline bool replay_is_begin(const struct replay_event *event)
{
    return event->kind == REPLAY_BEGIN || event->begins;
}

struct replay_visitor {
    csy_status (*visit)(void *user, const struct replay_event *event, csy_error *error);
    /* Called when no later event uses the source of an operation any more. May be NULL. */
    void (*forget)(void *user, struct replay_source *source);
    void *user;
    bool all; /* true: visit events without a role, too */
    /* all members that have operations, sorted by group and rank */
    const struct meet_member *members;
    size_t nmembers;
    const struct shared_keys *shared; /* channels that several locations share */
    bool exact; /* true if delta is 0, so that timestamps show which location sent or received */
};

/* Returns true if a trace can be visited: its locations are few and can be read separately. */
bool replay_can(struct csy_trace *trace);

/* Visit the trace once. *good becomes false, with CSY_OK, if the trace cannot be read, or if events
 * wait for each other or for events that do not exist. Time: O(events log locations). */
csy_status replay_run(struct csy_trace *trace, const struct replay_visitor *visitor, bool *good,
                      csy_error *error);

/* End a visit: no more events are visited. Call this during the visit of an event. */
void replay_stop(struct replay *replay);

/* Pass each source that a later event may follow to the function `each`, except the send of the
 * present event. Call this during the visit of an event. */
void replay_each_source(struct replay *replay,
                        void (*each)(void *user, struct replay_source *source), void *user);

/* Call `each` for each location with more events, with a time at or before all these events. The
 * time is INT64_MIN if no event was read yet. Call this during the visit of an event. */
void replay_each_location(const struct replay *replay,
                          void (*each)(void *user, uint32_t location, int64_t least_ticks),
                          void *user);

/* Returns an item with the key of an event, from which the source can make an event. */
struct stream_item replay_item(const struct replay_event *event);

#endif
