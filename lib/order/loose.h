/* Matches the events of a loose trace (trace/trace.h), where only the roles of events order them.
 *
 *   send, recv     a key is one message: the begin of its send precedes the end of its receive
 *   id, after      the rows with the named ids precede this row
 *   enter, leave   every enter of a group begins before every leave ends
 *   latency_max, same, other_clock   limits (clock/points.h)
 *
 * Each relation of two events becomes a constraint as soon as both events are known, in the order
 * of the trace. A constraint is passed to `take` and not stored. A message is forgotten when it is
 * complete, so memory contains only the pending messages: about 50 bytes each, plus the key. Ids
 * and groups are stored until the source states that they are complete (group_rows and forgets_ids
 * in trace/event.h).
 *
 * Each leave of a group gets a constraint from each enter. Once a group has leaves, a new enter
 * gets no constraint if the trace already had a later enter of the same clock, because the
 * constraint of the later enter implies the new one. This rule does not apply if constraints may
 * also lead to the enter (`joint`).
 *
 * A key may be used again when both ends of its message have been read. Before that, a second send
 * or receive is refused, because a receive could then belong to either of two sends. */
#ifndef ORDER_LOOSE_H
#define ORDER_LOOSE_H

#include "base/texts.h"
#include "order/match.h"

struct loose;
struct rebase;

/* An instant of an event: its begin, its end, or the reading of another clock during the event.
 * `position` is the number of the event in the trace, and `place` is its line or offset in the
 * file. */
struct loose_end {
    int64_t x; /* local time plus the approximate offset of the clock (order/rebase.h) */
    uint64_t position, place;
    uint32_t clock, location;
    uint16_t kind; /* INSTANT_BEGIN, INSTANT_END, or INSTANT_READING */
    bool interval; /* true if the event has a begin */
    bool joint;    /* true if this instant may be the begin of some constraints, and the end of
                    * others */
};

/* A constraint: `to` is at least latency_ticks after `from`. If latency_ticks is negative, it is a
 * limit: `from` is at most -latency_ticks after `to`. */
struct loose_edge {
    struct loose_end from, to;
    int64_t latency_ticks;
    csy_text key;  /* valid during the call; a size of 0 means no key */
    uint16_t kind; /* if `limit` is true: a value of enum limit_kind, otherwise of enum edge_kind */
    bool limit;
    uint64_t place; /* place of the event that states a limit */
};

enum { DIRECTIONS_RECENT = 16 };

/* Numbers of messages from each clock to each other clock. Such a pair of clocks is a direction. */
struct directions {
    struct texts ends; /* pairs of clocks, each stored as a struct direction_ends */
    uint64_t *messages;
    size_t capacity;
    /* cache: number of a direction plus 1, or 0 in an unused entry */
    uint32_t recent[DIRECTIONS_RECENT];
    /* true if some constraints do not come from messages, or if messages state a latency */
    bool mixed;
};

struct direction_ends {
    uint32_t from, to; /* numbers of both clocks */
};

void directions_fini(struct directions *directions);

struct loose_rules {
    const struct csy_trace *trace;
    const struct rebase *rough;
    struct match *match;           /* numbers locations; gets the results of loose_report; may be
                                    * NULL */
    int64_t latency_ticks;         /* latency of messages that state none */
    int64_t latency_max_ticks;     /* longest latency of messages that state none, or INT64_MAX */
    struct directions *directions; /* counts messages, or NULL */
    csy_status (*take)(void *user, const struct loose_edge *edge, csy_error *error);
    void *user;
};

csy_status loose_new(const struct loose_rules *rules, struct loose **out, csy_error *error);
void loose_free(struct loose *loose);

/* Add the next event. x is its local time plus the approximate offset of its clock
 * (order/rebase.h). Returns CSY_INPUT if the event's roles contradict each other; the message does
 * not name a place in the file. Time: O(1) for each message of the event, and O(events of the
 * group) for each group. */
csy_status loose_event(struct loose *loose, const struct event *event, int64_t x, csy_error *error);

/* Finish after the last event. Returns CSY_INPUT if an event refers to a missing id or clock;
 * *place becomes the place of that event. Time: O(pending ends). */
csy_status loose_finish(struct loose *loose, uint64_t *place, csy_error *error);

/* Call this after loose_finish. Reports to `match` of loose_rules the numbers of messages, groups,
 * and limits, and events without a partner, such as sends without a receive. */
csy_status loose_report(struct loose *loose, csy_error *error);

#endif
