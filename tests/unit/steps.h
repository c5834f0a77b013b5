/* Short traces as arrays of steps, and the results of clock/intervals for them. */
#ifndef UNIT_STEPS_H
#define UNIT_STEPS_H

#include "clock/timeline.h"

enum { STEPS_MAX = 128 };

enum step_kind { STEP_PPE, STEP_IN, STEP_OUT, STEP_SPE };

/* A record: of the PPE at `time`, a switch with its context and SPE, or of a context with its
 * decrementer. */
struct step {
    enum step_kind kind;
    int64_t time;
    uint32_t context;
    uint32_t decr;
    uint64_t spe;
};

#define PPE(time_ticks) ((struct step){STEP_PPE, (time_ticks), 0, 0, 0})
#define IN(time_ticks, context, spe) ((struct step){STEP_IN, (time_ticks), (context), 0, (spe)})
#define OUT(time_ticks, context, spe) ((struct step){STEP_OUT, (time_ticks), (context), 0, (spe)})
#define SPE(context, decr) ((struct step){STEP_SPE, 0, (context), (decr), 0})

struct outcome {
    struct threads threads;
    uint32_t thread[STEPS_MAX]; /* thread of each step */
    int64_t local[STEPS_MAX];
    csy_clock_report report;
    bool twice; /* true if a second pass was requested */
};

/* Pass the steps through clock/intervals, and again if it requests a second pass or `strict` is
 * set. One more pass must then give the same results. The caller calls threads_fini(&out->threads)
 * even after a failure. */
csy_status steps_run(const struct step *steps, size_t n, int64_t imprecision_ticks, bool strict,
                     struct outcome *out, csy_error *error);

/* Like steps_run, but a notifier reports the switches. */
csy_status steps_run_notified(const struct step *steps, size_t n, int64_t imprecision_ticks,
                              struct outcome *out, csy_error *error);

#endif
