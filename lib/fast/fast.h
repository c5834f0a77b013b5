/*
 * The quick way: plain records and rows, many at a time.
 *
 * Most records of a trace are plain: one of a clock that has spoken lately, not far in time from
 * its neighbours, as records mostly are.  For these, parsing, the clocks and what a pass is for are
 * one loop over the bytes (fast/records.c, fast/rows.c).  What lies between two records that
 * are not plain is a run (fast/run.h): the caller that wants the events takes what the run
 * comes to, by a function of its own room, as if the events had gone one by one:
 *
 *   trace   bytes_skip, bytes_pass                     order   disorder_add, inversions_add
 *   clock   threads_take_run, intervals_take_run       graph   sweep_take_run
 *
 * The contract: a record is taken only where the ordinary way would come to the same, and what is
 * not plain is left to it.  So whether the quick way is taken, and by how many workers
 * (fast/fast.c), changes nothing but the time.  Tests hold both ways equal.
 */
#ifndef FAST_FAST_H
#define FAST_FAST_H

#include "clock/timeline.h"
#include "fast/taken.h"
#include "graph/sweep.h"
#include "order/block_line.h"
#include "order/match.h"
#include "order/rebase.h"
#include "order/shared_ends.h"
#include "order/thin.h"

struct fast;

/* The quick way beside a timeline; *out is NULL where its trace has none.  sweep (or NULL) takes
 * the constraints; offsets (or NULL), by thread, make global times.  All must outlive it. */
csy_status fast_new(struct timeline *timeline, struct rebase *rebase, struct sweep *sweep,
                    const csy_thread *offsets, struct fast **out, csy_error *error);
void fast_free(struct fast *fast);

/* From now on take live intervals as they begin and end, too, where the purpose is no carrier's and
 * offsets are not wanted: the switches of contexts that are known, and the first record after one.
 * feed is that of the sweep, if there is one; *tau never ends; where `crowd` threads are live at
 * once, no more begin. */
void fast_take_turns(struct fast *fast, struct sweep_feed *feed, const uint32_t *tau, size_t crowd);

/* An event has gone the ordinary way; x is its own. */
void fast_note(struct fast *fast, const struct event *event, int64_t x);

/* Take as many records as go well, none from position `limit` on: into the sweep, if there is
 * one. */
csy_status fast_take(struct fast *fast, uint64_t limit, struct fast_taken *taken, csy_error *error);

/* The same, and measure their global times. */
csy_status fast_measure(struct fast *fast, uint64_t limit, struct measured *measured,
                        struct fast_taken *taken, csy_error *error);

/* Take what the reader's buffer holds of a record file, as records of a synchronized .pex into that
 * much room. */
csy_status fast_write(struct fast *fast, uint8_t *out, size_t room, struct fast_taken *taken,
                      csy_error *error);

/* Take up to n records of what the reader's buffer holds, and tell their global times. */
csy_status fast_time(struct fast *fast, int64_t *times, size_t n, struct fast_taken *taken,
                     csy_error *error);

/* As fast_write, by several workers, none where that is not worth while. */
csy_status fast_share(struct fast *fast, const struct fast_sink *sink, struct fast_taken *taken,
                      csy_error *error);

/* Rows of a CSV in partial order that are messages, or say nothing of the order, go to a thin
 * (order/thin.h); what else a row says is left to the ordinary way. */
struct fast_messages;

/* *out is NULL where the trace has no such rows, or no columns by which that shows.  All must
 * outlive it. */
csy_status fast_messages_new(struct timeline *timeline, struct rebase *rebase, struct thin *thin,
                             struct match *match, struct fast_messages **out, csy_error *error);
void fast_messages_free(struct fast_messages *messages);

/* An event has gone the ordinary way. */
void fast_messages_note(struct fast_messages *messages, const struct event *event);

/* Take as many of the next rows as are plain, of threads that have been noted. */
csy_status fast_messages_take(struct fast_messages *messages, csy_error *error);

/* Rows of a CSV in partial order that go on with the block of the row before them, of which only
 * the last one matters (order/block_line.h). */
struct fast_blocks;

/* *out is NULL where the trace has no blocks.  All must outlive it. */
csy_status fast_blocks_new(struct timeline *timeline, const struct rebase *rebase,
                           struct block_line *line, struct fast_blocks **out, csy_error *error);
void fast_blocks_free(struct fast_blocks *blocks);

/* An event has gone the ordinary way, at x: take as many of the next rows as go on with its
 * block. */
csy_status fast_blocks_take(struct fast_blocks *blocks, const struct event *event, int64_t x,
                            csy_error *error);

/* Whose the records are that have been written. */
const struct fast_threads *fast_threads(const struct fast *fast);

/* For traces whose locations can be read each by itself (trace/streams.h): by several workers, with
 * messages (order/meet.h) and operations (order/meet_members.h) met while they come.  What is kept
 * then goes to order/match.h as if there were nothing else. */
struct streams_rules {
    int64_t latency_ticks; /* of messages */
    int64_t window_ticks;  /* > 0: what is kept is enough for 2 delta up to it */
    bool drifts;           /* clocks do, by at most rate_ppb */
    uint32_t rate_ppb;
    bool replay;        /* nothing is kept, as it is gone over again */
    size_t clocks_most; /* with more, operations can not be gone over again */
    size_t close_most;  /* with more items that are close, and messages that say as much as
                              others of their channels, it is not good; 0: with any number */
};

/* A location with events: its thread, and the position of the first of them. */
struct stream_start {
    uint32_t thread;
    uint64_t position;
};

struct streams_found {
    bool good;                   /* else the trace has to be read the ordinary way */
    bool again;                  /* it is not good, but may be gone over again */
    bool plain;                  /* it can be gone over again (sync/partial/replayed.h) */
    struct stream_start *starts; /* by location; the caller frees it */
    size_t nlocations;
    struct meet_member *members; /* of groups (order/meet_members.h); the caller frees it */
    size_t nmembers;
    struct shared_keys
        open; /* channels of which receives are missing; the caller frees its items */
    struct shared_keys shared; /* channels that several locations share, of which some may be known
                                  before; the caller frees its items */
};

/* Read the trace of a timeline that has begun, and once more where channels are found that several
 * locations share: its threads and records, rough offsets, and what is kept, whatever these hold
 * where it is not good.  Memory goes with locations, channels, messages
 * and operations that are open, and pairs of members of a group. */
csy_status fast_streams_read(struct timeline *timeline, const struct streams_rules *rules,
                             struct rebase *rebase, struct match *match,
                             struct streams_found *found, csy_error *error);

#endif
