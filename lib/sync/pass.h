/* A pass reads a trace and gives its events to a method that finds bounds (an engine) or to another
 * function. The times are local times plus rough offsets (order/rebase.h). The first pass finds the
 * threads. Later passes also know the last record of each thread. */
#ifndef SYNC_PASS_H
#define SYNC_PASS_H

#include "clock/timeline.h"
#include "graph/sweep.h"
#include "order/line.h"
#include "order/rebase.h"
#include "trace/trace.h"

/* --- Progress while the records of a trace are read --- */

enum { PROGRESS_RECORDS = 16384 };

static inline void progress_show(const struct progress *progress, const struct csy_trace *trace)
{
    uint64_t done, total;
    if (!progress->call)
        return;
    if (trace->source->progress) {
        trace->source->progress(trace, &done, &total);
    } else {
        done = bytes_file_offset(trace->bytes) - trace->record_start;
        total = trace->record_bytes - trace->record_start;
    }
    progress_tell(progress, progress->stage, CSY_UNIT_BYTES, done, total);
}

/* Show progress from time to time. Call this after each record, with the position of the record. */
static inline void progress_note(const struct progress *progress, const struct csy_trace *trace,
                                 uint64_t position)
{
    if (position % PROGRESS_RECORDS == 0)
        progress_show(progress, trace);
}

struct survey {
    struct threads threads;
    struct timeline_rules rules;
    struct unwrap_lore lore; /* how often counters wrapped, for later passes */
    struct rebase rough;
    uint64_t records;
    uint64_t adjacent_steps_back;
    csy_clock_report clock_report;
    csy_cut cut; /* where a damaged trace read with --salvage ends; text "" if it is whole */
    int64_t greatest_x;
    uint64_t *dropped; /* sorted positions of the records that are left out of the results */
    size_t ndropped, dropped_capacity;
    bool behind; /* true if events are so far out of order that rule 2 of clock/unwrap.h may change
                  * a result */
};

void survey_fini(struct survey *survey);

/* Move the results of a pass to `survey`. Its member `lore` must be empty. *again becomes true if
 * the trace must be read again, because some numbers of counter wraps were wrong
 * (timeline_finish). */
csy_status survey_end(struct survey *survey, struct timeline *timeline, bool *again,
                      csy_error *error);

/* Two functions that may receive the events of a trace while it is read. `observe` gets each event.
 * `sink` gets pairs of events that constrain the offsets of their clocks (order/line.h). */
struct taker {
    struct sink sink;
    enum line_pairs pairs;
    struct sweep_feed *sweep; /* the sweep (graph/sweep.h) that receives the pairs, or NULL */
    csy_status (*observe)(void *observer, const struct event *event, csy_error *error);
    void *observer;
};

/* If more threads seem to be live at once, pass_survey sets `crowded`, and passes no more events to
 * `sink`. When the trace is read again, the ends of threads are known, so fewer seem to be live. */
enum { PASS_CROWD = 128 };

/* Called before the trace is read, to set the members of *taker. `user` is first_pass.user. */
typedef csy_status (*pass_start)(void *user, struct taker *taker, csy_error *error);

struct first_pass {
    const char *reference; /* name of the reference, which a sweep must keep; or NULL */
    pass_start start;      /* called once, and once more if unwrapping needs a second pass */
    void *user;            /* argument of `start` */
    const struct progress *progress;
    /* True if only `observe` gets events, until the function sink.over, if set, returns true. Rough
     * estimates of clock offsets are chosen such that the first event of each thread is at time
     * 0. */
    bool alone;
    bool crowded; /* becomes true if more threads than PASS_CROWD seem to be live at once */
};

/* Read the trace for the first time. The caller sets survey->rules. survey->lore has counter wraps
 * that an earlier call found, or is empty. */
csy_status pass_survey(struct csy_trace *trace, struct survey *survey, struct first_pass *first,
                       csy_error *error);

/* Read the trace again, without the records in survey->dropped. If tau is not NO_THREAD, the sweep
 * keeps this thread after its last record. */
csy_status pass_again(struct csy_trace *trace, const struct survey *survey, uint32_t tau,
                      struct taker *taker, const struct progress *progress, csy_error *error);

#endif
