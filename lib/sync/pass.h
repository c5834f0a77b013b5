/*
 * One pass over a trace: its events, moved by rough offsets, into whatever makes the bounds.
 *
 * The first pass learns the threads; where a thread ends it knows only from what the records say of
 * switches.  Later passes know the last record of each thread.
 */
#ifndef SYNC_PASS_H
#define SYNC_PASS_H

#include "clock/timeline.h"
#include "graph/sweep.h"
#include "order/line.h"
#include "order/rebase.h"
#include "sync/progress.h"

/* What is known of a trace after its first pass. */
struct survey {
    struct threads threads;
    struct timeline_rules rules;
    struct unwrap_lore lore; /* to read the trace again with */
    struct rebase rough;
    uint64_t records;
    uint64_t adjacent_steps_back;
    csy_clock_report clock_report;
    csy_cut cut; /* of a trace that was salvaged; text "" where it is whole */
    int64_t greatest_x;
    uint64_t *dropped; /* positions, in order, that pass_again leaves out (sync/line/drop.h) */
    size_t ndropped, dropped_capacity;
    bool behind; /* an event was so far behind others that rule 2 of unwrapping may object */
};

void survey_fini(struct survey *survey);

/* A pass is over: what it has learnt goes from its timeline to the survey, whose lore is empty.
 * *again as timeline_finish has it.  CSY_INPUT where there was no record. */
csy_status survey_end(struct survey *survey, struct timeline *timeline, bool *again,
                      csy_error *error);

/* What the events go to: an engine, or an observer that sees them as they are; or neither, and the
 * trace is only surveyed.  A pass has the order of one buffer (order/line.h) and makes of it what
 * the sink of an engine takes. */
struct taker {
    struct sink sink;
    enum line_pairs pairs;
    struct sweep_feed *sweep; /* the engine, if it is a sweep: its events may go the quick way */
    csy_status (*observe)(void *observer, const struct event *event, csy_error *error);
    void *observer;
};

/* The threads that are live at once in a first pass are kept to this many; beyond, it becomes a
 * mere survey, and crowded is set: pass again, now that the last records are known. */
enum { PASS_CROWD = 128 };

/* (Re)starts a taker. */
typedef csy_status (*pass_start)(void *user, struct taker *taker, csy_error *error);

/* What a first pass is for. */
struct first_pass {
    const char *reference; /* names a thread that is never eliminated; NULL: none is */
    pass_start start;      /* called once, and again where unwrapping had to learn */
    void *user;            /* start's */
    const struct progress *progress;
    bool crowded; /* set by the pass */
};

/* The first pass.  survey->rules are the caller's, and survey->lore what an earlier survey has
 * learnt. */
csy_status pass_survey(struct csy_trace *trace, struct survey *survey, struct first_pass *first,
                       csy_error *error);

/* A later pass; tau is never eliminated.  Records of survey->dropped are not taken. */
csy_status pass_again(struct csy_trace *trace, const struct survey *survey, uint32_t tau,
                      struct taker *taker, const struct progress *progress, csy_error *error);

#endif
