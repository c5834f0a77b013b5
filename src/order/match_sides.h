/*
 * All sends, or all receives, of a channel, and their order.
 *
 * The k-th of several instants on one clock has the k-th of their timestamps, within delta.  Which
 * record that is, is known only if timestamps are exact.  So if several locations share a channel
 * and delta is above 0, its k-th send and its k-th receive are points of their own (INSTANT_LOOSE).
 */
#ifndef ORDER_MATCH_SIDES_H
#define ORDER_MATCH_SIDES_H

#include "order/matching.h"

/* The items of one kind, grouped by key: a key has the indexes items[first[key]] up to
 * items[first[key + 1]], in the order of the file. */
struct by_key {
    size_t *first;
    uint32_t *items;
};

void by_key_fini(struct by_key *by_key);
csy_status by_key_init(struct by_key *by_key, const struct match_ends *ends, size_t nkeys,
                       csy_error *error);

/* The ends of a channel, or of a group, that are of one kind. */
struct side {
    const struct match_ends *ends;
    csy_end kind;
    uint32_t *items;
    size_t n;
    bool locations, clocks; /* several of these */
    bool begins;            /* all of them have one, or say when they were posted */
    bool recorded;          /* a recorder says when they were posted, and may have missed sends */
    bool unsure;            /* the order of posting is not known for all */
    bool sync;              /* one of these sends waits for its receive */
    bool latencies;         /* these receives have different ones */
    bool shared;            /* several locations use the channel, on this side or the other */
    bool *close;            /* by rank: timestamps do not show which item has it; NULL: they do */
};

static inline const struct match_end *side_end(const struct side *side, size_t i)
{
    return &side->ends->items[side->items[i]];
}

struct side side_of(struct matching *m, csy_end kind, const struct by_key *by_key, size_t key);

/* Sort what must come before the other side: sends, or waits that make room. */
csy_status side_order_sends(struct matching *m, struct side *side, csy_error *error);

/* Sort what comes after: by ends, or by when it was posted. */
csy_status side_order_receives(struct matching *m, struct side *side, bool by_ends,
                               csy_error *error);

/* The point of the i-th in time. */
csy_status side_point(struct matching *m, const struct side *side, size_t i, bool receives,
                      uint32_t *out, csy_error *error);

/* Whether the rank of some item is not known. */
bool side_has_close(const struct side *side);

/* The places of ends, which were sorted, as they come in the trace; NULL where that is as they are.
 * The caller frees them. */
csy_status side_places(const struct side *side, uint32_t **places, csy_error *error);

#endif
