/* One pass over a trace: passes its events, shifted by rough offsets, to an engine or an observer.
 *
 * The first pass finds the threads. It detects the end of a thread only by records of switches. In
 * later passes, the last record of each thread is known. */
#ifndef SYNC_PASS_H
#define SYNC_PASS_H

#include "clock/timeline.h"
#include "graph/sweep.h"
#include "order/line.h"
#include "order/rebase.h"
#include "sync/progress.h"

/* The results of the first pass. */
struct survey {
    struct threads threads;
    struct timeline_rules rules;
    struct unwrap_lore lore; /* for reading the trace again */
    struct rebase rough;
    uint64_t records;
    uint64_t adjacent_steps_back;
    csy_clock_report clock_report;
    csy_cut cut; /* of a salvaged trace; text "" if the trace is complete */
    int64_t greatest_x;
    uint64_t *dropped; /* positions that pass_again leaves out, in order (sync/line/drop.h) */
    size_t ndropped, dropped_capacity;
    bool behind; /* an event was so far below others that rule 2 of unwrapping may matter */
};

void survey_fini(struct survey *survey);

/* Move the results of a pass from its timeline to the survey. survey->lore must be empty. *again:
 * see timeline_finish. CSY_INPUT if there was no record. */
csy_status survey_end(struct survey *survey, struct timeline *timeline, bool *again,
                      csy_error *error);

/* The receiver of events: the sink of an engine; an observer, which gets them unchanged; or
 * neither, for a survey only. A pass has the order of one buffer (order/line.h) and makes the pairs
 * that the sink requires. */
struct taker {
    struct sink sink;
    enum line_pairs pairs;
    struct sweep_feed *sweep; /* the engine, if it is a sweep; its events may come by the fast
                                 path */
    csy_status (*observe)(void *observer, const struct event *event, csy_error *error);
    void *observer;
};

/* If more threads seem to be live at once in a first pass, it only surveys the trace, and `crowded`
 * is set. Pass again then, because the last records are known. */
enum { PASS_CROWD = 128 };

/* (Re)starts a taker. */
typedef csy_status (*pass_start)(void *user, struct taker *taker, csy_error *error);

/* The parameters and results of a first pass. */
struct first_pass {
    const char *reference; /* the name of a thread that is never eliminated, or NULL */
    pass_start start;      /* called once, and again if unwrapping must read the trace again */
    void *user;            /* for `start` */
    const struct progress *progress;
    bool crowded; /* set by the pass */
};

/* Make the first pass. The caller sets survey->rules, and survey->lore to the lore of an earlier
 * survey. */
csy_status pass_survey(struct csy_trace *trace, struct survey *survey, struct first_pass *first,
                       csy_error *error);

/* Make a later pass, which never eliminates tau and skips the records of survey->dropped. */
csy_status pass_again(struct csy_trace *trace, const struct survey *survey, uint32_t tau,
                      struct taker *taker, const struct progress *progress, csy_error *error);

#endif
