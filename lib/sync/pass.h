/* A pass over a trace gives events, shifted by rough offsets, to an engine or an observer. The
 * first pass finds the threads. Only records of switches show the first pass that a thread has
 * ended. Later passes know the last record of each thread. */
#ifndef SYNC_PASS_H
#define SYNC_PASS_H

#include "clock/timeline.h"
#include "graph/sweep.h"
#include "order/line.h"
#include "order/rebase.h"
#include "sync/progress.h"

/* The results of the first pass over a trace. */
struct survey {
    struct threads threads;
    struct timeline_rules rules;
    struct unwrap_lore lore; /* what the unwrapping found, for reading the trace again */
    struct rebase rough;
    uint64_t records;
    uint64_t adjacent_steps_back;
    csy_clock_report clock_report;
    csy_cut cut; /* where a salvaged trace was cut; the text is "" if the trace is complete */
    int64_t greatest_x;
    uint64_t *dropped; /* sorted positions that pass_again leaves out (sync/line/drop.h) */
    size_t ndropped, dropped_capacity;
    bool behind; /* true if an event was so far below others that rule 2 may matter */
};

void survey_fini(struct survey *survey);

/* Move the results of a pass from its timeline to the survey. survey->lore must be empty. For
 * *again, see timeline_finish. Returns CSY_INPUT if there was no record. */
csy_status survey_end(struct survey *survey, struct timeline *timeline, bool *again,
                      csy_error *error);

/* Receives the events: the sink of an engine, an observer that gets them unchanged, or nobody. A
 * pass has the order of one buffer (order/line.h), and makes the pairs that the sink requires. */
struct taker {
    struct sink sink;
    enum line_pairs pairs;
    struct sweep_feed *sweep; /* the engine if it is a sweep; the fast path may serve it */
    csy_status (*observe)(void *observer, const struct event *event, csy_error *error);
    void *observer;
};

/* If more threads than this seem to be live at once, a first pass only surveys the trace and sets
 * `crowded`. The next pass knows the last records of threads. */
enum { PASS_CROWD = 128 };

/* Start a taker, or restart it. */
typedef csy_status (*pass_start)(void *user, struct taker *taker, csy_error *error);

/* The parameters and results of a first pass. */
struct first_pass {
    const char *reference; /* name of a thread that is never eliminated, or NULL */
    pass_start start;      /* called once, and once more if unwrapping needs a second pass */
    void *user;            /* argument of `start` */
    const struct progress *progress;
    bool crowded; /* set by the pass if too many threads seem to be live at once */
};

/* Make the first pass. The caller must set survey->rules, and copy survey->lore from an earlier
 * survey. */
csy_status pass_survey(struct csy_trace *trace, struct survey *survey, struct first_pass *first,
                       csy_error *error);

/* Pass each event of a surveyed trace to `take`, in order, with x on the rough timescale. The
 * parameter `progress` may be NULL. Returns CSY_INPUT if the trace has changed, or what `take`
 * returns. */
csy_status
pass_events(struct csy_trace *trace, const struct survey *survey, const struct progress *progress,
            csy_status (*take)(void *user, const struct event *event, int64_t x, csy_error *error),
            void *user, csy_error *error);

/* Make a later pass. It never eliminates tau, and skips the records of survey->dropped. */
csy_status pass_again(struct csy_trace *trace, const struct survey *survey, uint32_t tau,
                      struct taker *taker, const struct progress *progress, csy_error *error);

#endif
