/* What order/replay.h visits, and who does. */
#ifndef ORDER_REPLAY_EVENT_H
#define ORDER_REPLAY_EVENT_H

#include "clock/points.h"
#include "order/meet_members.h"
#include "order/shared_ends.h"
#include "trace/streams.h"

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

#endif
