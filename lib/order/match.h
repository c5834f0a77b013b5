/* Turns the roles of events into points and edges. An end is one such role of an event, for example
 * a send.
 *
 *   send, recv     the begin of the k-th send of a channel precedes the end of its k-th receive, in
 *                  the order of posting
 *   enter, leave   every enter of a group precedes every leave
 *   id, after      the rows with the named ids precede this row
 *   buffer         a record of a buffer precedes the next record of the buffer
 *   block          the same for the flushes of blocks (order/match.c)
 *   post, wait     as send and recv; if a channel holds c tokens, the k-th wait also precedes the
 *                  end of post k + c
 *   members        collective operations (match_members.c)
 *   release, acquire   a release precedes the end of the acquires with the next greater turn
 *   spawn, join    a spawn precedes the first record of a location; its last one precedes the join
 *
 * Call match_event for each event in the order of the file; match_finish then matches everything.
 * Ends without a partner are counted; they are never an error.
 *
 * The order of posting decides which send and which receive belong together. Ends of one location
 * were posted in the order of their begins, if all begins are known and on one clock; otherwise the
 * order of the file counts.
 *
 * If several locations of one clock send or receive on the channel, the order of posting is not
 * known. But among the first k receives that complete, one must belong to the k-th send or to a
 * later one. So the k-th earliest send precedes the k-th earliest completion, if there are not more
 * receives than sends. If these locations have several clocks, no order is known.
 *
 * Receives may state when they were posted. The order of posting of the whole channel counts as
 * unknown if one receive does not state this, or if it was posted after a receive that never
 * completed. If such a channel has more receives than sends, sends were not recorded, and the
 * channel is left out. */
#ifndef ORDER_MATCH_H
#define ORDER_MATCH_H

#include "base/ascii.h"
#include "clock/points.h"
#include "trace/event.h"

struct match;
struct csy_trace;

/* Begin to turn events into points and edges, which are added to `points`. latency_ticks is the
 * least latency of messages that state none. `trace` determines how flushes are ordered, and
 * whether sends may be missing; it may be NULL. */
csy_status match_new(struct points *points, int64_t latency_ticks, const struct csy_trace *trace,
                     struct match **out, csy_error *error);
void match_free(struct match *match);

/* Set the longest latency, in ticks, of messages that state none. */
void match_set_latency_max(struct match *match, int64_t ticks);

/* If `all` is true, all later events are stored as points (clock/points.h), not only events with
 * roles. */
void match_store_all(struct match *match, bool all);

/* Add the next event, which must have a thread. x is its time plus the approximate offset of its
 * clock (order/rebase.h). Returns CSY_INPUT if its roles contradict each other; the message does
 * not name a place in the file. */
csy_status match_event(struct match *match, const struct event *event, int64_t x, csy_error *error);

/* After the last event, add all edges. Returns CSY_INPUT if a row refers to a missing row; *place
 * becomes the place of the row that refers to it. Time: O(events), or O(events log events) if
 * several locations use one channel. Memory: 40 bytes for each role of an event. */
csy_status match_finish(struct match *match, uint64_t *place, csy_error *error);

/* Returns the report of the matching, which is valid until match_free. */
const csy_matched *match_report(const struct match *match);

/* Counts for records that were not passed to match_event. unmatched[0] counts sends, and
 * unmatched[1] receives, without a partner. `raw` counts messages that were received before they
 * were sent, by timestamps; `tracer`, by times that the tracer corrected. */
struct match_thinned {
    uint64_t messages, unmatched[2];
    uint64_t several; /* number of channels with several complete messages */
    uint64_t groups, enters, leaves;
    uint64_t blocks, flushes; /* blocks: groups of records that were written to a buffer together;
                               * flushes: writes of blocks that have a timestamp */
    csy_backward raw, tracer;
};

/* The caller may set the counts until match_finish. All are 0 at first. */
struct match_thinned *match_thinned(struct match *match);

/* Count a message that took `ticks`, if it was received before it was sent. */
static inline void match_note_passage(csy_backward *backward, int128 ticks)
{
    if (ticks >= 0)
        return;
    int64_t by = -ticks > INT64_MAX ? INT64_MAX : (int64_t)-ticks;
    backward->count++;
    backward->largest_ticks = by > backward->largest_ticks ? by : backward->largest_ticks;
}

/* Remove the first key (up to a blank) from *rest. Returns false if there is none. */
static inline bool match_next_key(csy_text *rest, csy_text *key)
{
    while (rest->size > 0 && ascii_is_blank(*rest->bytes)) {
        rest->bytes++;
        rest->size--;
    }
    *key = (csy_text){rest->bytes, 0};
    if (rest->size == 0) /* if the text is empty, `bytes` may be NULL */
        return false;
    while (key->size < rest->size && !ascii_is_blank(rest->bytes[key->size]))
        key->size++;
    rest->bytes += key->size;
    rest->size -= key->size;
    return key->size > 0;
}

/* Returns true if `keys`, which are separated by blanks, contain `key`. */
bool match_has_key(csy_text keys, csy_text key);

csy_status match_find_location(struct match *match, const struct event *event, uint32_t *out,
                               csy_error *error);

/* Get the number of the buffer of an event, or NO_BUFFER. */
csy_status match_find_buffer(struct match *match, const struct event *event, uint32_t *out,
                             csy_error *error);

/* Returns the name of a location or of a buffer. The text does not end with NUL. */
csy_text match_location(const struct match *match, uint32_t location);

csy_text match_buffer(const struct match *match, uint32_t buffer);

/* Find a limit, such as a longest latency, that no timestamps could satisfy, because of latencies
 * or other limits. *out becomes NULL if there is none. `order` is from visit_order. Time: a few
 * passes of O(points + edges). Memory: 40 bytes for each point. */
csy_status limits_contradicted(const struct points *points, const uint32_t *order,
                               const struct order_limit **out, csy_error *error);

/* Finds the message of each send and receive while the events of a trace are read again. Both ends
 * of a message get the same channel number and message number. An end has no message if its partner
 * is not known. */
struct flows;

/* Prepare the search. `match` must have finished with all messages, and must outlive the result. If
 * `all` is false, messages are left out if their ends may belong to different messages
 * (event_flow.apart). Memory: 12 bytes for each send and receive. */
csy_status flows_new(struct match *match, bool all, struct flows **out, csy_error *error);
void flows_free(struct flows *flows);

/* Start again at the first event of the trace. */
void flows_rewind(struct flows *flows);

/* Find the messages of the next event. Returns NULL if the event has no message. Call this for
 * every event in the order of the trace. The result is valid until the next call. */
const struct event_flows *flows_take(struct flows *flows, const struct event *event);

#endif
