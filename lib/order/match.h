/*
 * What events say of order -> points and edges.
 *
 *   send, recv     the k-th send of a channel comes before the end of its k-th receive, in the
 *   order of posting: from begin to end
 *   enter, leave   every enter of a group comes before every leave: by a hub
 *   id, after      the rows named come before this one: from time to time
 *   buffer         places in one buffer
 *   block          the same, of blocks: order/match.c
 *   post, wait     as send and recv; where a channel holds c, also the k-th wait before the end of
 *   the post that is c after the k-th
 *   members        collective operations (match_members.c)
 *   release, acquire   a release before the end of what acquires the lock in the next greater turn
 *   spawn, join    a spawn before the first record of a location; its last one before the join
 *
 * One call an event, in the order of the file; then everything is matched at once.  What finds no
 * partner is counted, and never an error.
 *
 * The ends of a channel that are on one location are posted in the order of their begins where all
 * of them have one and are on one clock, else in the order of the file.  Where sends, or receives,
 * are on several locations of one clock, nothing says which was posted first; but among the first k
 * receives that complete there must be one of the k-th send, or of one after it, by that clock: so
 * the k-th earliest send comes before the k-th earliest completion, if there are not more receives
 * than sends.  On several clocks nothing is known.  If delta is above 0,
 * timestamps do not show which location that is (order/match_ends.c).
 *
 * Receives may say themselves when they were posted.  One that does not know it, or that was posted
 * on a clock after one that never completed, makes its channel one of which nothing says who was
 * first, as above.  More of them than sends show that a recorder missed sends: such a channel is
 * left out.
 */
#ifndef ORDER_MATCH_H
#define ORDER_MATCH_H

#include "clock/points.h"
#include "order/pairing.h"
#include "trace/event.h"

struct match;
struct csy_trace;

/* points must stay, and are filled.  latency_ticks: of messages that do not say their own.  trace:
 * says what comes after a flush of its blocks, and whether sends may be missing; NULL: nothing
 * comes after it, and none are. */
csy_status match_new(struct points *points, int64_t latency_ticks, const struct csy_trace *trace,
                     struct match **out, csy_error *error);
void match_free(struct match *match);

/* Messages that do not state their longest latency take at most so long. */
void match_set_latency_max(struct match *match, int64_t ticks);

/* Whether to store every record as points from now on, also one that says nothing of the order. */
void match_store_all(struct match *match, bool all);

/* The next event, which has a thread; x: of its time (order/rebase.h).  CSY_INPUT, without the
 * place, which the caller adds, where what it says cannot be. */
csy_status match_event(struct match *match, const struct event *event, int64_t x, csy_error *error);

/* All events have come: the edges go to points, which are finished.  CSY_INPUT where a row is named
 * that is not there; *place is then that of the row that names it, which the caller adds.
 * O(events log events) where locations share channels, else O(events); 40 bytes a role. */
csy_status match_finish(struct match *match, uint64_t *place, csy_error *error);

/* What was matched; holds until match_free. */
const csy_matched *match_report(const struct match *match);

/* Instead of events, what is kept of them (order/thin.h): a record, whose begin is its end where it
 * has none, and then its ends of messages; apart: receives of the channel are missing. */
struct match_kept {
    uint64_t position, place;
    uint32_t clock, location;
    int64_t x, begin_x;
};
csy_status match_keep(struct match *match, const struct match_kept *record, csy_error *error);
csy_status match_keep_end(struct match *match, csy_end kind, uint32_t channel, bool apart,
                          int64_t latency_ticks, csy_error *error);

/* What was not kept: messages, and ends without others, of sends and receives; groups, and who
 * enters and leaves them; blocks.  And of all
 * messages, also those that were kept, how many were received before they were sent by their raw
 * stamps and, where the source has a tracer, by what that corrected them to. */
struct match_thinned {
    uint64_t messages, unmatched[2];
    uint64_t several; /* channels of which several messages have both ends */
    uint64_t groups, enters, leaves;
    uint64_t blocks, flushes; /* the latter with a timestamp */
    csy_backward raw, tracer;
    struct match_open *open; /* of each channel with ends without others the first of these */
    size_t nopen;
};

struct match_open {
    uint64_t position; /* all of its channel and kind from there on are such */
    uint32_t channel;
    bool recv;
};

/* thinned->open is taken. */
void match_set_thinned(struct match *match, const struct match_thinned *thinned);
const struct match_thinned *match_get_thinned(const struct match *match);

/* One more message: by how many ticks it was received after it was sent. */
static inline void match_note_passage(csy_backward *backward, int128 ticks)
{
    if (ticks >= 0)
        return;
    int64_t by = -ticks > INT64_MAX ? INT64_MAX : (int64_t)-ticks;
    backward->count++;
    backward->largest_ticks = by > backward->largest_ticks ? by : backward->largest_ticks;
}

/* The next of several keys that blanks separate; false after the last.  *rest is what follows. */
bool match_next_key(csy_text *rest, csy_text *key);

/* The number of a channel; false on no memory. */
bool match_find_channel(struct match *match, const char *key, size_t size, uint32_t *out);

/* The number of an event's location. */
csy_status match_find_location(struct match *match, const struct event *event, uint32_t *out,
                               csy_error *error);

/* The number of the buffer that an event is in, or NO_BUFFER. */
csy_status match_find_buffer(struct match *match, const struct event *event, uint32_t *out,
                             csy_error *error);

/* How the ends of all channels go together, match_nchannels of them, which are zeroes; after
 * match_finish, of a trace that was not thinned.  O(ends log ends). */
csy_status match_pair(struct match *match, struct match_pairing *channels, csy_error *error);
size_t match_nchannels(const struct match *match);

/* The number of a channel that there is; false: there is none. */
bool match_look_channel(const struct match *match, csy_text key, uint32_t *out);

/* What a location or a buffer of points is called; no NUL follows. */
csy_text match_location(const struct match *match, uint32_t location);
csy_text match_buffer(const struct match *match, uint32_t buffer);

#endif
