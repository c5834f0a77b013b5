/*
 * Messages, met by a key while they come, from several locations at a time.
 *
 * The k-th send of a channel meets its k-th receive; ends of a channel come in the order in which
 * they were posted, and one channel is of one location each way.  A message leaves where its send
 * begins and arrives where its receive ends.  Of a channel those messages are kept of which receive
 * less send is least, and every message that is close to another one, and how
 * many there were.
 *
 * Where nothing contradicts anything at delta 0, that is enough for all delta up to half the window
 * W: a way along several messages says no more than these one by one where it waits W on each
 * location between two; so beside the least of each channel only those matter that wait less.
 * Those are close.
 *
 * At W 1 it is enough for inversions, too, which are then of one tick: a receive is one only if its
 * message is among the least of its channel, all of which are kept, or close, and what follows it
 * only at the same stamp.
 *
 * Whether nothing contradicts anything shows afterwards.  What cannot be met like this fails:
 * channels of several locations, more receives than sends, and, unless messages are only counted,
 * those of one clock that show nothing but a contradiction.
 */
#ifndef ORDER_MEET_H
#define ORDER_MEET_H

#include "trace/streams.h"
#include "trace/tracer.h"

struct meet;

/* By location, and stay: clocks; and what the tracer took them for, known of a location once it has
 * ends.  latency_ticks: of all messages; window_ticks > 0. */
struct meet_rules {
    const uint32_t *clocks;
    const struct tracer_thread *tracers;
    int64_t latency_ticks, window_ticks;
    bool counted; /* messages are only counted, and not kept */
    /* NULL, or: nothing is kept, each message is given instead, by the places of its ends; the
     * others mean nothing. */
    bool (*met)(void *user, uint64_t send_place, uint64_t recv_place);
    void *user;
};

csy_status meet_new(const struct meet_rules *rules, struct meet **out, csy_error *error);
void meet_free(struct meet *meet);

/* A send or a receive.  false: it fails, now or before, or no memory.  O(1). */
bool meet_item(struct meet *meet, size_t location, const struct stream_item *item);

/* An end that is kept. */
struct meet_end {
    size_t location;
    struct stream_item item;
};

/* All have come: *out, which the caller frees, is what is kept, in the order of the trace:
 * messages that matter, and the first CSY_UNUSED_LISTED sends without receives.  messages and
 * unmatched: what is not kept.  false as above. */
struct meet_result {
    struct meet_end *ends;
    size_t count;
    uint64_t messages, unmatched;
    csy_backward raw, tracer; /* of all messages */
};
bool meet_finish(struct meet *meet, struct meet_result *out);

/* Whether it failed for a message of one clock that contradicts it; where messages are only counted
 * it does not. */
bool meet_contradicts(const struct meet *meet);

/* How many ends wait for the other one; and how many messages are kept so far beside the first of
 * each channel, as they say as much. */
uint64_t meet_waiting(const struct meet *meet);
uint64_t meet_ties(const struct meet *meet);

#endif
