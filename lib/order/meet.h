/* Matches messages by a key while several locations are read at the same time.
 *
 * The k-th send of a channel meets its k-th receive. Ends of a channel come in the order of
 * posting. Each side of a channel belongs to one location, or to several locations of one clock; in
 * that case ends are sorted by time (order/shared_ends.h). A message leaves at the begin of its
 * send and arrives at the end of its receive. For each channel, these messages are kept: the ones
 * with the least receive minus send, and each message that is close to another message. All are
 * counted.
 *
 * Without a contradiction at delta 0, these messages suffice for each delta up to half of the
 * window W. A path along several messages implies no more than each message alone if it waits for
 * at least W on each location between two messages. So, besides the least message of each channel,
 * only messages with shorter waits matter. These are the close messages.
 *
 * With W = 1, these messages also suffice to count inversions, which are then at most one tick. A
 * receive can be an inversion only if its message is close or among the least messages of its
 * channel, and all of these are kept. Events after it can be inversions only at the same timestamp.
 *
 * If clocks drift, a channel keeps each message that does not follow from another message
 * (graph/pair_table.h) with a margin of W + 1 ticks. Messages within one clock are kept if they
 * limit its rate.
 *
 * A contradiction is noticed only afterwards. meet_item and meet_finish fail in these cases: a side
 * of a channel has several clocks; a shared channel has sends with begins; there are more receives
 * than sends; or, unless messages are only counted, a message within one clock contradicts that
 * clock. Shared channels must be known in advance. If one is found, all messages must be matched
 * again. */
#ifndef ORDER_MEET_H
#define ORDER_MEET_H

#include "order/shared_ends.h"
#include "trace/streams.h"
#include "trace/tracer.h"

struct meet;

/* clocks and tracers have an entry for each location and must outlive the result. An entry of
 * tracers is set before the first end of its location. latency_ticks applies to all messages.
 * window_ticks > 0. */
struct meet_rules {
    size_t nlocations;
    const uint32_t *clocks;
    const struct tracer_thread *tracers;
    const struct shared_keys *shared; /* channels that several locations share */
    int64_t latency_ticks, window_ticks;
    bool drifts; /* clocks drift by at most rate_ppb */
    uint32_t rate_ppb;
    bool counted; /* messages are counted, but not kept */
    /* If not NULL, it receives the places of both ends of each message, and nothing is kept. The
     * members above are then ignored, and no channel may be shared. */
    bool (*met)(void *user, uint64_t send_place, uint64_t recv_place);
    void *user;
};

csy_status meet_new(const struct meet_rules *rules, struct meet **out, csy_error *error);
void meet_free(struct meet *meet);

/* Add a send or a receive. False if out of memory, or if this or an earlier end cannot be matched.
 * O(1); for shared channels O(log pending ends). */
bool meet_item(struct meet *meet, size_t location, const struct stream_item *item);

/* Call it when all ends of the location before this time have been added; INT64_MAX: all. False as
 * for meet_item. */
bool meet_reach(struct meet *meet, size_t location, int64_t known_ticks);

/* meet_finds_shared is true if unknown shared channels were found, so that the result is
 * invalid. meet_list_shared appends all shared channels, including the known ones; false if out
 * of memory. */
bool meet_finds_shared(const struct meet *meet);
bool meet_list_shared(const struct meet *meet, struct shared_keys *out);

/* An end that is kept. */
struct meet_end {
    size_t location;
    struct stream_item item;
};

/* Finish after the last end. The caller frees ends and open.items. False as for meet_item.
 *  ends      the kept ends in the order of the trace: messages that matter, and the first
 *            CSY_UNUSED_LISTED sends without a receive
 *  messages, unmatched  how many were not kept
 *  several   channels with several messages, or with a message and a send without a receive
 *  open      the channels among these that have a send without a receive */
struct meet_result {
    struct meet_end *ends;
    size_t count;
    uint64_t messages, unmatched, several;
    struct shared_keys open;
    csy_backward raw, tracer; /* of all messages */
};
bool meet_finish(struct meet *meet, struct meet_result *out);

/* True if meet_finish will fail because a message within one clock contradicts that clock. This is
 * no failure if messages are only counted. */
bool meet_contradicts(const struct meet *meet);

/* True if a channel has both messages and pending ends. */
bool meet_is_uneven(const struct meet *meet);

/* The number of pending ends; and the number of kept messages that are as small as the first kept
 * message of their channel. */
uint64_t meet_waiting(const struct meet *meet);
uint64_t meet_ties(const struct meet *meet);

#endif
