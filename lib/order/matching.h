/* The ends of messages, groups and the rest, as events name them, and what is made of them at the
 * end. */
#ifndef ORDER_MATCHING_H
#define ORDER_MATCHING_H

#include "base/texts.h"
#include "clock/points.h"
#include "order/pairing.h"
#include "trace/event.h"

#define LATENCY_USUAL INT64_MIN

/* Instead of when an end was posted. */
#define POSTED_BEGIN INT64_MIN
#define POSTED_UNKNOWN INT64_MAX

struct match_end {
    uint32_t key;        /* number of its channel, group, lock, or list of locations */
    uint32_t begin, end; /* points; begin is end where it has none */
    bool sync;
    bool apart;         /* receives of its channel are missing */
    bool shared;        /* several locations share its channel */
    bool begin_unknown; /* it had one, of which nothing is known but that it is before its end */
    int64_t posted;     /* x, or as its begin says, or not known */
    union {
        int64_t latency_ticks; /* of a receive or wait; or LATENCY_USUAL */
        uint64_t turn;         /* of a release or acquire */
    };
};

struct match_ends {
    struct match_end *items; /* in the order of the file */
    size_t count, capacity;
};

/* A record of a collective operation. */
struct member_end {
    struct match_end end; /* its key is that of the group */
    struct event_collective is;
};

#define END_KINDS (CSY_END_JOIN + 1)
#define LEFT_REASONS (CSY_LEFT_CLOSE + 1)

/* What is left out: points, and numbers of keys until matching_unused. */
struct unused {
    uint64_t counts[END_KINDS][LEFT_REASONS];
    struct unused_end {
        uint32_t point, key;
    } listed[END_KINDS][LEFT_REASONS][CSY_UNUSED_LISTED];
    csy_unused items[END_KINDS * LEFT_REASONS];
    char *keys;
};

/* Whose keys are numbered together. */
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

/* The longest latency that a record states for its receives. */
struct match_longest {
    uint32_t end; /* point */
    int64_t ticks;
};

/* A record at a moment that others share. */
struct match_moment {
    uint32_t key, end;
    int64_t within_ticks;
};

/* A comparison of the record's clock with another one. */
struct match_compared {
    uint32_t key; /* of the other clock's name */
    uint32_t begin, end;
    int64_t other_ticks, within_ticks;
};

/* A clock by its name: local time + shift_ticks = x. */
struct match_clock {
    uint32_t clock; /* NO_POINT: it has no records */
    int64_t shift_ticks;
};

/* What limits are made of. */
struct match_limits {
    int64_t latency_max_ticks;     /* of messages that do not state theirs; INT64_MAX: none */
    struct match_longest *longest; /* by points, which ascend */
    size_t nlongest, longest_capacity;
    struct match_moment *moments;
    size_t nmoments, moments_capacity;
    struct match_compared *compared;
    size_t ncompared, compared_capacity;
    struct match_clock *clocks; /* by key */
    size_t nclocks, clocks_capacity;
    uint64_t place; /* of the record that an error is about */
};

struct matching {
    struct points *points;
    int64_t latency_ticks; /* of messages that do not say their own */
    bool sends_known;      /* none is missing, unless there are more receives */
    struct texts texts[KEY_SPACES];
    struct match_ends ends[END_KINDS]; /* those of CSY_END_SYNC and CSY_END_ROOM stay none: sends
                                          and waits have them */
    uint64_t *room;                    /* by token: how many there may be at a time; 0: not known */
    size_t nroom, room_capacity;
    int64_t *lost; /* by clock the x from which on operations that began are not known */
    size_t nlost, lost_capacity;
    struct match_limits limits;
    struct member_end *members; /* in the order of the file */
    size_t nmembers, members_capacity;
    struct unused unused;
    csy_uneven uneven[CSY_UNUSED_LISTED]; /* the first ones, whose keys wait for matching_unused */
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

/* Where who runs: by location. */
struct match_locations {
    const struct texts *runners;
    const uint32_t *runner_of;
    const uint32_t *first; /* the end of its first record */
    size_t count;
};

/* Count an end that is of no use. */
void matching_leave_out(struct matching *m, csy_end kind, csy_left_out why,
                        const struct match_end *end);

/* The number for points of a key's text, which is kept once more. */
csy_status matching_key(struct matching *m, enum key_space space, uint32_t number, uint32_t *out,
                        csy_error *error);

/* Edges of all messages and tokens; of all groups; of locks; of collective
 * operations (match_members.c);
 * and points that are left out into the report. */
csy_status matching_messages(struct matching *m, csy_error *error);
csy_status matching_groups(struct matching *m, csy_error *error);
csy_status matching_locks(struct matching *m, csy_error *error);
csy_status matching_members(struct matching *m, csy_error *error);
csy_status matching_moments(struct matching *m, csy_error *error);
csy_status matching_compared(struct matching *m, csy_error *error);

/* The limit of a message between these points, whose receive may state it. */
csy_status matching_longest(struct matching *m, const struct match_end *recv,
                            const struct order_edge *message, csy_error *error);
csy_status matching_pair(struct matching *m, struct match_pairing *channels, csy_error *error);
csy_status matching_unused(struct matching *m, csy_error *error);

#endif
