/* The ends of messages and groups, as events name them, and what is made of them at the end. */
#ifndef ORDER_MATCH_ENDS_H
#define ORDER_MATCH_ENDS_H

#include "base/texts.h"
#include "clock/points.h"

#define LATENCY_USUAL INT64_MIN

struct match_end {
    uint32_t key;        /* number of its channel or group */
    uint32_t begin, end; /* points; begin is end where it has none */
    bool sync;
    bool begin_unknown;    /* it had one, of which nothing is known but that it is before its end */
    int64_t latency_ticks; /* of a receive; or LATENCY_USUAL */
};

struct match_ends {
    struct match_end *items; /* in the order of the file */
    size_t count, capacity;
};

#define END_KINDS (CSY_END_LEAVE + 1)
#define LEFT_REASONS (CSY_LEFT_LOCATIONS + 1)

/* What is left out: points, and numbers of keys until unused_finish. */
struct unused {
    uint64_t counts[END_KINDS][LEFT_REASONS];
    struct unused_end {
        uint32_t point, key;
    } listed[END_KINDS][LEFT_REASONS][CSY_UNUSED_LISTED];
    csy_unused items[END_KINDS * LEFT_REASONS];
    char *keys;
};

struct matching {
    struct points *points;
    int64_t latency_ticks; /* of messages that do not say their own */
    struct texts channels, groups;
    struct match_ends ends[END_KINDS]; /* those of CSY_END_SYNC stay none: sends have them */
    struct unused unused;
    csy_matched report;
};

/* Edges of all messages; of all groups; and points that are left out into the report. */
csy_status matching_messages(struct matching *matching, csy_error *error);
csy_status matching_groups(struct matching *matching, csy_error *error);
csy_status matching_unused(struct matching *matching, csy_error *error);

#endif
