/* The fast path processes plain records and rows, many at a time.
 *
 * Most records of a trace are plain: their clock had a recent record, and their time is near the
 * times of their neighbours. One loop over the bytes parses plain records, computes their times,
 * and does the work of the pass (fast/records.c, fast/rows.c). Successive plain records are a run
 * (fast/kind.h). Other modules accept the results of a run in one call, as if each event had been
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

struct fast;

/* Make the fast path of a timeline; *out is NULL if the trace has none. `sweep` collects
 * constraints between clocks (graph/sweep.h), and `offsets` has each thread's offset; both may be
 * NULL. All arguments must outlive *out. */
csy_status fast_new(struct timeline *timeline, struct rebase *rebase, struct sweep *sweep,
                    const csy_thread *offsets, struct fast **out, csy_error *error);
void fast_free(struct fast *fast);

/* Let the fast path also take records that begin or end live intervals: context switches, and
 * the first record of a context after a switch. All contexts must be known, timestamps must be
 * exact, and `offsets` must be NULL. The live interval of the thread *tau, the reference clock,
 * is never ended. None is begun while the sweep has `crowd` live threads. `feed` belongs to the
 * sweep, if there is one. */
void fast_take_turns(struct fast *fast, struct sweep_feed *feed, const uint32_t *tau, size_t crowd);

/* Call this for each event that the fast path did not take. x is its local time plus a rough
 * estimate of its thread's offset (order/rebase.h). */
void fast_note(struct fast *fast, const struct event *event, int64_t x);

/* Take plain records. */
csy_status fast_run(struct fast *fast, const struct fast_job *job, struct fast_taken *taken,
                    csy_error *error);

/* Returns the thread of the PPE and of each context, to find the threads of written records. */
const struct fast_threads *fast_threads(const struct fast *fast);

/* A location with events. The positions of its events in the trace begin at `position`. */
struct stream_start {
    uint32_t thread;
    uint64_t position;
};

struct streams_found {
    bool good;                   /* false if locations cannot be read separately */
    bool has_roles;              /* true if the trace has sends, receives, or operations */
    struct stream_start *starts; /* for each location: its thread and first position */
    size_t nlocations;
    struct stream_member *members; /* all members with operations, by group and rank */
    size_t nmembers;
    struct texts keys;               /* maps stream_item.key of each channel to its number */
    struct stream_channel *channels; /* for each channel, in the order of `keys` */
    size_t nshared;                  /* number of channels that several locations share */
};

void streams_found_fini(struct streams_found *found);

/* Read the locations of a trace separately (trace/streams.h), with several workers. Counts sends,
 * receives, and operations. Sets found->good to false if order/walk.h cannot match them, or if
 * there are operations and more than clocks_most clocks. Passes the first event of each location to
 * `match`. Call this after timeline_init. Sets the timeline's threads and records, rough offsets,
 * and counts of `match`; they are undefined if found->good is false. Memory grows with locations,
 * channels, and members. */
csy_status fast_streams_read(struct timeline *timeline, size_t clocks_most, struct rebase *rebase,
                             struct match *match, struct streams_found *found, csy_error *error);

#endif
