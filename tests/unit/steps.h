/* A trace in short, step by step, and what clock/intervals makes of it. */
#ifndef UNIT_STEPS_H
#define UNIT_STEPS_H

#include "clock/intervals.h"

enum { STEPS_MAX = 128 };

enum step_kind { STEP_PPE, STEP_IN, STEP_OUT, STEP_SPE };

/* A record: of the PPE at this time (a switch names context and SPE), or of a context. */
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
    uint32_t thread[STEPS_MAX]; /* of each step */
    int64_t local[STEPS_MAX];
    csy_clock_report report;
    bool twice; /* a second pass was asked for */
};

/* Pass the steps through clock/intervals, by rule 1 alone: twice where it asks for that, or is
 * strict. A last pass with all that was learnt must repeat the outcome.  The caller calls
 * threads_fini(&out->threads) even after a failure. */
csy_status steps_run(const struct step *steps, size_t n, int64_t imprecision_ticks, bool strict,
                     struct outcome *out, csy_error *error);

/* The same, of switches that a notifier reports. */
csy_status steps_run_notified(const struct step *steps, size_t n, int64_t imprecision_ticks,
                              struct outcome *out, csy_error *error);

#endif
