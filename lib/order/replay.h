/*
 * What says something of the order in locations that can be read each by itself
 * (trace/streams.h), one after another: ends of messages, and begins, hubs and ends of collective
 * operations; of a location as it has them, and each after all that come before it.  Of messages
 * that have begins these are visited, too, and the ends of their sends.
 *
 * This is a pass over the trace that holds no more than messages and operations that are under way,
 * and of each location what was read ahead.  It is for traces of which all is known to be as
 * order/meet.h and order/meet_members.h want it, but for contradictions, and whose locations are
 * all read at once.
 */
#ifndef ORDER_REPLAY_H
#define ORDER_REPLAY_H

#include "clock/points.h"
#include "order/meet_members.h"
#include "order/shared_ends.h"
#include "trace/streams.h"

/* What order/replay.h visits, and who does. */

/* More locations are not read at once. */
enum { REPLAY_LOCATIONS_MOST = STREAMS_TOGETHER };

struct replay;

/* What others come after: a send, the begin of an operation, or its hub. */
struct replay_source {
    int64_t ticks;     /* when that was */
    int64_t value;     /* the visitor's, */
    uint32_t point;    /* and this, NO_POINT at first */
    uint32_t location; /* that it is of; NO_LOCATION: a hub */
};

/* What comes before an event, but for those of its location. */
struct replay_before {
    struct replay_source *source;
    enum edge_kind kind;
};

enum replay_kind {
    REPLAY_PLAIN, /* nothing */
    REPLAY_SEND,
    REPLAY_RECV,
    REPLAY_BEGIN,
    REPLAY_HUB,
    REPLAY_END
};

struct replay_event {
    struct replay *replay;
    struct replay_source *own; /* what others that come after it get, or NULL: */
    uint32_t leaves;           /* so many at most; 0: until it is forgotten */
    const struct replay_before *before;
    size_t nbefore;
    enum replay_kind kind;
    bool begins;  /* it is the begin of its event, which has an end of its own */
    bool loose;   /* it has the timestamp of its event, but may be another one (INSTANT_LOOSE) */
    bool chained; /* earlier events of its location come before it: no begin, and not loose */
    bool early;   /* a begin with a lower timestamp than the event before it on its location */
    uint32_t location; /* of a hub that of a member */
    uint32_t key;      /* of messages their channel, of operations their group: numbered from 0 */
    uint64_t position; /* of the events of its location, of a begin that of the end; of a hub
                          UINT64_MAX */
    uint64_t place;    /* as the source has it */
    int64_t ticks;     /* of a hub 0 */
};

static inline bool replay_is_begin(const struct replay_event *event)
{
    return event->kind == REPLAY_BEGIN || event->begins;
}

struct replay_visitor {
    csy_status (*visit)(void *user, const struct replay_event *event, csy_error *error);
    /* Or NULL; of operations: nothing comes after it any more. */
    void (*forget)(void *user, struct replay_source *source);
    void *user;
    bool all; /* events that say nothing are visited, too */
    /* Those of each group that have operations, by groups, and of each by ranks. */
    const struct meet_member *members;
    size_t nmembers;
    const struct shared_keys *shared; /* channels that several locations share */
    bool exact; /* delta is 0: timestamps tell which location sent or received */
};

/* Whether a trace can be read like this. */
bool replay_can(const struct csy_trace *trace);

/* Once over the trace.  *good false, with CSY_OK: it cannot be read, or some could not be visited,
 * as they wait for each other, or for nothing.  O(events log locations). */
csy_status replay_run(struct csy_trace *trace, const struct replay_visitor *visitor, bool *good,
                      csy_error *error);

/* While an event is visited: it is the last one. */
void replay_stop(struct replay *replay);

/* The same: all that something may still come after, but its own send. */
void replay_each_source(struct replay *replay,
                        void (*each)(void *user, struct replay_source *source), void *user);

/* The same: of each location that more may come of, a time that none of it is before; INT64_MIN:
 * nothing has come of it yet. */
void replay_each_location(const struct replay *replay,
                          void (*each)(void *user, uint32_t location, int64_t least_ticks),
                          void *user);

/* What says the key of an event that has one, as the source can make an event of it. */
struct stream_item replay_item(const struct replay_event *event);

#endif
