/* Matches events with each other, for example sends with receives. Defines the ends, which are
 * roles of events in messages, groups, and locks, and functions that make edges from them. */
#ifndef ORDER_MATCHING_H
#define ORDER_MATCHING_H

#include "base/texts.h"
#include "clock/points.h"
#include "trace/event.h"

#define LATENCY_USUAL INT64_MIN

/* Values of `posted` if the trace does not state when the event was posted (started): it was posted
 * at its begin, or at an unknown time. */
#define POSTED_BEGIN INT64_MIN
#define POSTED_UNKNOWN INT64_MAX

struct match_end {
    uint32_t key;        /* number of the channel, group, lock, or list of locations */
    uint32_t begin, end; /* indexes in points->items of the event's begin and end; equal if it has
                          * no begin */
    bool sync;
    bool shared;        /* true if several locations use the channel */
    bool begin_unknown; /* true if the event has a begin, but at an unknown time */
    /* time when the send or receive was posted (started), plus the approximate offset of the clock
     * (order/rebase.h); or POSTED_BEGIN or POSTED_UNKNOWN */
    int64_t posted;
    union {
        int64_t latency_ticks; /* latency of a receive or a wait, or LATENCY_USUAL */
        /* number of the acquire or release; later ones have greater numbers */
        uint64_t turn;
    };
};

struct match_ends {
    struct match_end *items; /* elements in the order of the file */
    size_t count, capacity;
};

struct member_end {
    struct match_end end; /* the record of a group's member; end.key is the number of the group */
    struct event_collective is;
};

#define END_KINDS (CSY_END_JOIN + 1)
#define LEFT_REASONS (CSY_LEFT_CLOSE + 1)

/* Events with roles that could not be used: how often for each role and reason, and the first of
 * them for each. */
struct unused {
    uint64_t counts[END_KINDS][LEFT_REASONS];
    struct unused_end {
        uint32_t point, key;
    } listed[END_KINDS][LEFT_REASONS][CSY_UNUSED_LISTED];
    csy_unused items[END_KINDS * LEFT_REASONS];
};

/* Kinds of keys. The keys of each kind are numbered separately. */
enum key_space {
    KEYS_CHANNELS,
    KEYS_GROUPS,
    KEYS_TOKENS,
    KEYS_LOCKS,
    KEYS_LIVES,
    KEYS_MOMENTS,
    KEYS_CLOCKS,
    KEY_SPACES
};

/* The longest time that a message may have taken, as its receive states. */
struct match_longest {
    uint32_t end; /* index in points->items of the end of the receive */
    int64_t ticks;
};

/* A record of a moment, an instant when several clocks were read. */
struct match_moment {
    uint32_t key, end;
    int64_t within_ticks;
};

/* A measured offset between the clock of a record and another clock. */
struct match_compared {
    uint32_t key; /* number of the name of the other clock */
    uint32_t begin, end;
    int64_t other_ticks, within_ticks;
};

/* A clock with a name. shift_ticks is its approximate offset, which is added to local times. */
struct match_clock {
    uint32_t clock; /* number of the clock; NO_POINT if no record has this clock */
    int64_t shift_ticks;
};

struct match_limits {
    int64_t latency_max_ticks;     /* longest latency of messages that state none, or INT64_MAX */
    struct match_longest *longest; /* longest latencies of receives, sorted by `end` */
    size_t nlongest, longest_capacity;
    struct match_moment *moments;
    size_t nmoments, moments_capacity;
    struct match_compared *compared;
    size_t ncompared, compared_capacity;
    struct match_clock *clocks; /* clocks by the numbers of their names */
    size_t nclocks, clocks_capacity;
    uint64_t place; /* place of the record, for an error message */
};

struct matching {
    struct points *points;
    int64_t latency_ticks; /* latency of messages that state none */
    bool sends_known;      /* false if a channel with more sends than receives may lack sends */
    bool loose;
    const char *place; /* word for a place in messages to the user, such as "record" */
    struct texts texts[KEY_SPACES];
    /* ends[k] are the events with role k, but CSY_END_SYNC is stored among the sends, and
     * CSY_END_ROOM among the waits */
    struct match_ends ends[END_KINDS];
    uint64_t *room; /* for each token channel: number of tokens that it can hold, or 0 if unknown */
    size_t nroom, room_capacity;
    /* [c]: time of the first collective operation of clock c that the trace has lost; later
     * operations of the clock are not matched */
    int64_t *lost;
    size_t nlost, lost_capacity;
    struct match_limits limits;
    struct member_end *members; /* elements in the order of the file */
    size_t nmembers, members_capacity;
    struct unused unused;
    csy_uneven uneven[CSY_UNUSED_LISTED]; /* the first channels that lack sends or receives; their
                                           * keys are in uneven_keys */
    uint32_t uneven_keys[CSY_UNUSED_LISTED];
    csy_matched report;
};

static inline enum key_space matching_space(unsigned kind)
{
    return kind <= CSY_END_SYNC                                 ? KEYS_CHANNELS
           : kind <= CSY_END_LEAVE                              ? KEYS_GROUPS
           : kind <= CSY_END_ROOM                               ? KEYS_TOKENS
           : kind == CSY_END_RELEASE || kind == CSY_END_ACQUIRE ? KEYS_LOCKS
                                                                : KEYS_LIVES;
}

/* Returns the part of a struct match that these functions need. */
struct match;
struct matching *match_matching(struct match *match);

/* Note the name of a clock that has events. shift_ticks is the approximate offset that is added to
 * its times (order/rebase.h). */
csy_status match_name_clock(struct match *match, csy_text name, uint32_t clock, int64_t shift_ticks,
                            csy_error *error);

void matching_leave_out(struct matching *m, csy_end kind, csy_left_out why,
                        const struct match_end *end);

/* Add the text of a key to m->points, which messages to the user will contain. *out becomes the
 * value of `key` in edges and limits. */
csy_status matching_key(struct matching *m, enum key_space space, uint32_t number, uint32_t *out,
                        csy_error *error);

/* Add edges so that the begin of each event in `from` precedes the end of each event in `to`. If
 * both lists have several events, all edges lead through one additional point, to save edges.
 * Events in `to` may state latencies, except for EDGE_LOCK. */
csy_status matching_join(struct matching *m, const struct match_end *from, size_t nfrom,
                         const struct match_end *to, size_t nto, uint32_t key, enum edge_kind kind,
                         csy_error *error);

/* Each function adds all edges and limits (clock/points.h) of one kind. Members take part in
 * collective operations. Moments are instants when several clocks were read. Compared are two
 * clocks with a measured offset. */
csy_status matching_messages(struct matching *m, csy_error *error);
csy_status matching_groups(struct matching *m, csy_error *error);
csy_status matching_locks(struct matching *m, csy_error *error);
csy_status matching_members(struct matching *m, csy_error *error);
csy_status matching_moments(struct matching *m, csy_error *error);
csy_status matching_compared(struct matching *m, csy_error *error);

/* Add two limits of time with the values of `limit`: one between the points chain[0] and chain[1],
 * the other between chain[1] and chain[2]. */
csy_status matching_limits(struct matching *m, const uint32_t chain[3],
                           const struct order_limit *limit, csy_error *error);

void matching_unused(struct matching *m);

#endif
