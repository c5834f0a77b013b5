/*
 * Messages, met by a key while they come, from several locations at a time.
 *
 * The k-th send of a channel meets its k-th receive; ends of a channel come in the order in which
 * they were posted, and one channel is of one location each way, or of several of one clock, by
 * whose times they are then (order/shared_ends.h).  A message leaves where its send
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
 * If clocks drift, a channel keeps each message that does not follow from another message
 * (graph/pair_table.h) with a margin of W + 1 ticks. Messages within one clock are kept if they
 * limit its rate.
 *
 * Whether nothing contradicts anything shows afterwards.  What cannot be met like this fails:
 * channels of several clocks each way, or of several locations if sends have begins, more receives
 * than sends, and, unless messages are only counted, those of one clock that show nothing but a
 * contradiction.  Which channels several locations share must be known; else they are found, and
 * all is to be met once more.
 */
#ifndef ORDER_MEET_H
#define ORDER_MEET_H

#include "order/shared_ends.h"
#include "trace/streams.h"
#include "trace/tracer.h"

struct meet;

/* By location, and stay: clocks; and what the tracer took them for, known of a location once it has
 * ends.  latency_ticks: of all messages; window_ticks > 0. */
struct meet_rules {
    size_t nlocations;
    const uint32_t *clocks;
    const struct tracer_thread *tracers;
    const struct shared_keys *shared; /* channels that several locations share */
    int64_t latency_ticks, window_ticks;
    bool drifts; /* clocks do, by at most rate_ppb */
    uint32_t rate_ppb;
    bool counted; /* messages are only counted, and not kept */
    /* NULL, or: nothing is kept, each message is given instead, by the places of its ends; the
     * others mean nothing, and no channel is shared. */
    bool (*met)(void *user, uint64_t send_place, uint64_t recv_place);
    void *user;
};

csy_status meet_new(const struct meet_rules *rules, struct meet **out, csy_error *error);
void meet_free(struct meet *meet);

/* A send or a receive.  false: it fails, now or before, or no memory.  O(1); of channels that are
 * shared O(log of those that wait). */
bool meet_item(struct meet *meet, size_t location, const struct stream_item *item);

/* All ends of the location before that time have come; INT64_MAX: all.  false as above. */
bool meet_reach(struct meet *meet, size_t location, int64_t known_ticks);

/* Whether channels were found that several locations share, so that what was met means nothing; all
 * such channels, with those that were known; false on no memory. */
bool meet_finds_shared(const struct meet *meet);
bool meet_list_shared(const struct meet *meet, struct shared_keys *out);

/* An end that is kept. */
struct meet_end {
    size_t location;
    struct stream_item item;
};

/* All have come: *out, which the caller frees, is what is kept, in the order of the trace:
 * messages that matter, and the first CSY_UNUSED_LISTED sends without receives.  messages and
 * unmatched: what is not kept; several: channels with several messages or such sends beside one;
 * open, whose items the caller frees: of these those with such sends.  false as above. */
struct meet_result {
    struct meet_end *ends;
    size_t count;
    uint64_t messages, unmatched, several;
    struct shared_keys open;
    csy_backward raw, tracer; /* of all messages */
};
bool meet_finish(struct meet *meet, struct meet_result *out);

/* Whether it fails in the end for a message of one clock that contradicts it; where messages are
 * only counted it does not. */
bool meet_contradicts(const struct meet *meet);

/* Whether a channel has messages, and ends that wait. */
bool meet_is_uneven(const struct meet *meet);

/* How many ends wait for the other one; and how many messages are kept so far beside the first of
 * each channel, as they say as much. */
uint64_t meet_waiting(const struct meet *meet);
uint64_t meet_ties(const struct meet *meet);

#endif
