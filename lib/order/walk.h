/* Calls a function, `visit`, for each event of a trace, after the calls for all events that precede
 * it. An event precedes the later events of its location. A send precedes its receive. The begins
 * of a collective operation precede its ends. `visit` is called separately for the begin and the
 * end of a record. An additional call, with the kind WALK_HUB, may come between the begins and the
 * ends of an operation. It stands for several begins.
 *
 * All locations are read at the same time (trace/streams.h). Memory contains only the messages and
 * operations under way, and a few events of each location, read ahead. The trace must satisfy the
 * conditions of fast_streams_read (fast/fast.h), but timestamps may contradict the order. */
#ifndef ORDER_WALK_H
#define ORDER_WALK_H

#include "base/texts.h"
#include "clock/points.h"
#include "trace/streams.h"

/* The greatest number of locations that are read at the same time. */
enum { WALK_LOCATIONS_MOST = STREAMS_TOGETHER };

struct order_walk;

/* An event that later events must follow: a send, the begin of a record, or a WALK_HUB, which
 * stands for several begins of a collective operation. */
struct order_walk_source {
    int64_t ticks;
    int64_t value;     /* for use by the function `visit` of order_walk_visitor */
    uint32_t point;    /* for use by the function `visit` of order_walk_visitor; NO_POINT at
                        * first */
    uint32_t location; /* NO_LOCATION for WALK_HUB */
};

/* An event, `source`, that precedes the event that is passed to `visit`. */
struct order_walk_before {
    struct order_walk_source *source;
    enum edge_kind kind;
};

enum order_walk_kind {
    WALK_PLAIN, /* any event; see order_walk_visitor.all */
    WALK_SEND,
    WALK_RECV,
    WALK_BEGIN,
    WALK_HUB,
    WALK_END
};

struct order_walk_event {
    struct order_walk *walk;
    /* Later events refer to this event as their predecessor by `own`. It is NULL if no later
     * event does. At most `leaves` events refer to it. If `leaves` is 0, no limit is known, and
     * `own` is valid until `forget` is called. */
    struct order_walk_source *own;
    uint32_t leaves;
    const struct order_walk_before *before;
    size_t nbefore;
    enum order_walk_kind kind;
    bool begins; /* true if this is the begin of an event; the end is visited separately */
    /* true if the timestamp may belong to an event of another location (INSTANT_LOOSE) */
    bool loose;
    bool chained;      /* true if the event must come after the earlier events of its location */
    bool early;        /* true for a begin before the end of the previous event of its location */
    uint32_t location; /* any location of the operation for WALK_HUB */
    uint32_t key;      /* channel of a message or group of an operation, numbered from 0 */
    /* stream_item.position of the event, also if this is its begin; UINT64_MAX for WALK_HUB */
    uint64_t position;
    uint64_t place; /* where the event is in the file, as event.place */
    int64_t ticks;  /* 0 for WALK_HUB */
};

static inline bool order_walk_is_begin(const struct order_walk_event *event)
{
    return event->kind == WALK_BEGIN || event->begins;
}

/* A send without a receive. */
struct order_walk_unmatched {
    uint32_t location;
    bool shared; /* true if several locations share the channel */
    struct stream_item item;
};

/* Numbers counted in a complete pass over the trace. */
struct order_walk_counts {
    uint64_t groups, enters, leaves; /* operations, and members that enter and leave them */
    uint64_t nunmatched;
    /* the first of the `nunmatched` sends without receives, in the order of the trace */
    struct order_walk_unmatched unmatched[CSY_UNUSED_LISTED];
};

struct order_walk_visitor {
    csy_status (*visit)(void *user, const struct order_walk_event *event, csy_error *error);
    /* Called when no later edge begins at this source of an operation. May be NULL. */
    void (*forget)(void *user, struct order_walk_source *source);
    void *user;
    bool all; /* true to call `visit` for each event additionally with the kind WALK_PLAIN */
    /* all members that have operations, sorted by group and rank */
    const struct stream_member *members;
    size_t nmembers;
    const struct texts *keys;              /* maps stream_item.key of each channel to its number */
    const struct stream_channel *channels; /* for each channel, in the order of `keys` */
    bool exact; /* true if timestamps have no error, so they show which location sent or received */
    struct order_walk_counts *counts; /* receives the counts of a complete pass, or NULL */
};

/* Returns true if the trace's locations are few enough, and can be read separately. */
bool order_walk_can(struct csy_trace *trace);

/* Read the trace once, and call visitor->visit for each event. *good becomes false if the trace
 * cannot be read in this way, or if events wait for each other or for missing events. The result is
 * then CSY_OK, too. Time: O(events log locations). */
csy_status order_walk_run(struct csy_trace *trace, const struct order_walk_visitor *visitor,
                          bool *good, csy_error *error);

/* Make order_walk_run return after this event. Call this only in the visitor's function `visit`. */
void order_walk_stop(struct order_walk *walk);

/* Call `each` for each source of possible edges to later events, except the source of a send that
 * is being visited. Call this during the visit of an event. */
void order_walk_each_source(struct order_walk *walk,
                            void (*each)(void *user, struct order_walk_source *source), void *user);

/* Call `each` for each location that has more events. least_ticks is a lower limit of their times,
 * INT64_MIN if unknown. Call this during the visit of an event. */
void order_walk_each_location(const struct order_walk *walk,
                              void (*each)(void *user, uint32_t location, int64_t least_ticks),
                              void *user);

/* Returns the stream_item of the event. stream_reading.event can use it to read the event again. */
struct stream_item order_walk_item(const struct order_walk_event *event);

#endif
