/* Counts messages while several locations are read at the same time, and checks that they can be
 * matched.
 *
 * The k-th send of a channel is matched with its k-th receive. The ends of a channel are added in
 * the order in which they were posted. Each side of a channel belongs to one location, or to
 * several locations of one clock; order/shared_ends.h sorts the ends of several locations by time.
 * A message leaves at the begin of its send and arrives at the end of its receive.
 *
 * match_stream_item and match_stream_finish fail in these cases: a side of a channel has several
 * clocks; a shared channel has sends with begins; there are more receives than sends; or a location
 * receives a message before it sends it. Shared channels must be known in advance. If a new one is
 * found, all messages must be matched again. */
#ifndef ORDER_MATCH_STREAM_H
#define ORDER_MATCH_STREAM_H

#include "order/shared_ends.h"
#include "trace/streams.h"
#include "trace/tracer.h"

struct match_stream;

/* Input of match_stream_new. The arrays `clocks` and `tracers` have an entry for each location, and
 * must outlive the result. An entry of `tracers` is set before the first end of its location. */
struct match_stream_rules {
    size_t nlocations;
    const uint32_t *clocks;
    const struct tracer_thread *tracers;
    const struct shared_keys *shared; /* channels that several locations share */
    int64_t latency_ticks;            /* latency of each message */
    bool whole; /* true if positions count all events; channels then must not be shared */
    /* Receives the places of the send and the receive of each message, or NULL. If it is set, the
     * members above are ignored, and no channel may be shared. */
    bool (*met)(void *user, uint64_t send_place, uint64_t recv_place);
    void *user;
};

csy_status match_stream_new(const struct match_stream_rules *rules, struct match_stream **out,
                            csy_error *error);
void match_stream_free(struct match_stream *stream);

/* Add a send or a receive. Returns false if out of memory, or if it cannot be matched (see the head
 * of this file). Time: O(1), or O(log pending ends) for a shared channel. */
bool match_stream_item(struct match_stream *stream, size_t location,
                       const struct stream_item *item);

/* Tell the stream that later ends of the location are not before known_ticks (INT64_MAX: none
 * follow). Returns false in the same cases as match_stream_item. */
bool match_stream_reach(struct match_stream *stream, size_t location, int64_t known_ticks);

/* Returns true if unknown shared channels were found. The result is then invalid. */
bool match_stream_finds_shared(const struct match_stream *stream);

/* List all shared channels, known or newly found. Returns false if out of memory. */
bool match_stream_list_shared(const struct match_stream *stream, struct shared_keys *out);

/* A send without a receive. */
struct match_stream_send {
    uint32_t location;
    bool shared; /* true if several locations share the channel */
    struct stream_item item;
};

struct match_stream_result {
    uint64_t messages, nunmatched, several;
    /* the first of the `nunmatched` unreceived sends, in the order of the trace */
    struct match_stream_send unmatched[CSY_UNUSED_LISTED];
    struct shared_keys open; /* channels where some sends were received and others were not */
    /* messages received before they were sent: by timestamps, and by times of the tracer */
    csy_backward raw, tracer;
};

/* Finish. The caller frees out->open.items. Returns false in the cases of match_stream_item. */
bool match_stream_finish(struct match_stream *stream, struct match_stream_result *out);

/* Returns true if a channel has complete messages and also ends that wait for their partners. */
bool match_stream_is_uneven(const struct match_stream *stream);

uint64_t match_stream_waiting(const struct match_stream *stream);

#endif
