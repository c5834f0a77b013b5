/* Counts messages while several locations are read at the same time, and checks that they can be
 * matched.
 *
 * The k-th send of a channel is matched with its k-th receive. The ends of a channel are added in
 * the order in which they were posted. Each side of a channel belongs to one location, or to
 * several locations of one clock; order/shared_ends.h sorts the ends of several locations by time.
 * A message leaves at the begin of its send and arrives at the end of its receive.
 *
 * meet_item and meet_finish fail in these cases: a side of a channel has several clocks; a shared
 * channel has sends with begins; there are more receives than sends; or a location receives a
 * message before it sends it. Shared channels must be known in advance. If a new one is found, all
 * messages must be matched again. */
#ifndef ORDER_MEET_H
#define ORDER_MEET_H

#include "order/shared_ends.h"
#include "trace/streams.h"
#include "trace/tracer.h"

struct meet;

/* Input of meet_new. The arrays `clocks` and `tracers` have an entry for each location, and must
 * outlive the result. An entry of `tracers` is set before the first end of its location. */
struct meet_rules {
    size_t nlocations;
    const uint32_t *clocks;
    const struct tracer_thread *tracers;
    const struct shared_keys *shared; /* channels that several locations share */
    int64_t latency_ticks;            /* latency of each message */
    bool whole; /* true if positions count all events; then no channel may be shared */
    /* Receives the places of both ends of each message, or NULL. If set, the members above are
     * ignored, and no channel may be shared. */
    bool (*met)(void *user, uint64_t send_place, uint64_t recv_place);
    void *user;
};

csy_status meet_new(const struct meet_rules *rules, struct meet **out, csy_error *error);
void meet_free(struct meet *meet);

/* Add an end. Returns false if out of memory, or if an end so far cannot be matched. Time: O(1), or
 * O(log pending ends) for a shared channel. */
bool meet_item(struct meet *meet, size_t location, const struct stream_item *item);

/* Tell that all ends of the location before known_ticks (INT64_MAX: all ends) were added. Returns
 * false in the same cases as meet_item. */
bool meet_reach(struct meet *meet, size_t location, int64_t known_ticks);

/* Returns true if unknown shared channels were found, so the result is invalid. */
bool meet_finds_shared(const struct meet *meet);

/* List all shared channels, known or newly found. Returns false if out of memory. */
bool meet_list_shared(const struct meet *meet, struct shared_keys *out);

/* A send without a receive. */
struct meet_send {
    uint32_t location;
    bool shared; /* true if several locations share the channel */
    struct stream_item item;
};

struct meet_result {
    uint64_t messages, nunmatched, several;
    /* the first sends without a receive, in the order of the trace; nunmatched is their number */
    struct meet_send unmatched[CSY_UNUSED_LISTED];
    struct shared_keys open;  /* channels with a message and a send without a receive */
    csy_backward raw, tracer; /* messages received before they were sent */
};

/* Finish. The caller frees out->open.items. Returns false in the same cases as meet_item. */
bool meet_finish(struct meet *meet, struct meet_result *out);

/* Returns true if a channel has both complete messages and pending ends. */
bool meet_is_uneven(const struct meet *meet);

uint64_t meet_waiting(const struct meet *meet);

#endif
