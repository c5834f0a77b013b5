/* The fast path processes plain records and rows, many at a time.
 *
 * Most records of a trace are plain: their clock had a recent record, and their time is near the
 * times of their neighbours. One loop over the bytes parses plain records, computes their times,
 * and does the work of the pass (fast/records.c, fast/rows.c). Successive plain records are a run
 * (fast/run.h). Other modules accept the results of a run in one call, as if each event had been
 * passed separately:
 *
 *   trace   bytes_skip, bytes_pass
 *   order   disorder_add, inversions_add
 *   clock   threads_take_run, intervals_take_run
 *   graph   sweep_take_run
 *
 * The contract: the fast path takes a record only if the ordinary path would give the same result,
 * and leaves all other records to the ordinary path. So the fast path, and the number of its
 * workers (fast/fast.c), change only the time. Tests compare the two paths. */
#ifndef FAST_FAST_H
#define FAST_FAST_H

#include "clock/timeline.h"
#include "fast/taken.h"
#include "graph/sweep.h"
#include "order/match.h"
#include "order/rebase.h"
#include "order/shared_ends.h"

struct fast;

/* Make a fast path for a timeline. *out is NULL if its trace has none. sweep receives constraints,
 * and offsets by thread give global times; both may be NULL. All arguments must outlive *out. */
csy_status fast_new(struct timeline *timeline, struct rebase *rebase, struct sweep *sweep,
                    const csy_thread *offsets, struct fast **out, csy_error *error);
void fast_free(struct fast *fast);

/* Let the fast path also begin and end live intervals: at switches of known contexts, and at first
 * records after a switch. Only for sweeps without a carrier, and without offsets. feed belongs to
 * the sweep, if any. The thread *tau is never ended. No live interval begins while `crowd` threads
 * are live. */
void fast_take_turns(struct fast *fast, struct sweep_feed *feed, const uint32_t *tau, size_t crowd);

/* Note an event that took the ordinary path, at time x. */
void fast_note(struct fast *fast, const struct event *event, int64_t x);

/* Take as many plain records before position `limit` as possible. Feeds the sweep, if any. */
csy_status fast_take(struct fast *fast, uint64_t limit, struct fast_taken *taken, csy_error *error);

/* Take records like fast_take, and measure their global times. */
csy_status fast_measure(struct fast *fast, uint64_t limit, struct measured *measured,
                        struct fast_taken *taken, csy_error *error);

/* Take plain records from the reader's buffer, and write them to `out` for a synchronized .pex. */
csy_status fast_write(struct fast *fast, uint8_t *out, size_t room, struct fast_taken *taken,
                      csy_error *error);

/* Take at most n plain records from the reader's buffer, and store their global times. */
csy_status fast_time(struct fast *fast, int64_t *times, size_t n, struct fast_taken *taken,
                     csy_error *error);

/* Take records like fast_write, by several workers. Takes none if that would not be faster. */
csy_status fast_share(struct fast *fast, const struct fast_sink *sink, struct fast_taken *taken,
                      csy_error *error);

/* The threads of the records that were written. */
const struct fast_threads *fast_threads(const struct fast *fast);

/* Reads traces whose locations can be read separately (trace/streams.h), by several workers. Counts
 * messages (order/meet.h) and operations (order/meet_members.h), and checks that order/replay.h can
 * visit them. Passes only the first event of each location, and the first sends without receives,
 * to order/match.h. */
struct streams_rules {
    int64_t latency_ticks; /* least latency of messages */
    size_t clocks_most;    /* with more clocks, operations cannot be visited */
};

/* A location with events: its thread, and the number that is added to positions of its items for
 * positions in the trace. */
struct stream_start {
    uint32_t thread;
    uint64_t position;
};

struct streams_found {
    bool good;                   /* false: read the trace in the ordinary way */
    struct stream_start *starts; /* one item for each location; the caller frees it */
    size_t nlocations;
    struct meet_member *members; /* members of groups (order/meet_members.h); the caller frees it */
    size_t nmembers;
    struct shared_keys open;   /* channels with missing receives; the caller frees its items */
    struct shared_keys shared; /* channels of several locations, including those known in advance;
                                * the caller frees its items */
};

/* Read the trace of a timeline that has begun, and a second time if unknown shared channels are
 * found. Sets the threads and records of the timeline, rough offsets, and the counts in `match`.
 * They are undefined if found->good is false. Memory grows with locations, channels, and pending
 * messages and operations. */
csy_status fast_streams_read(struct timeline *timeline, const struct streams_rules *rules,
                             struct rebase *rebase, struct match *match,
                             struct streams_found *found, csy_error *error);

#endif
