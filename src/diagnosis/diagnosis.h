/*
 * What a contradiction between order and clocks comes from.  cellsync-model(7), Diagnosis.
 *
 *   records --windows--> what each stretch says of each pair --suspects--> step, drift, bad clock
 *           --stamps---> who is early
 */
#ifndef DIAGNOSIS_DIAGNOSIS_H
#define DIAGNOSIS_DIAGNOSIS_H

#include "sync/solution.h"

/* What no two crystals that are good to 50 ppm are apart by, as --drift has it: by the faster one
 * the other is off by (1 + 50e-6) / (1 - 50e-6) - 1, or 100.00500025 ppm, so 101 is named. */
enum { CRYSTAL_PPB = 101000 };

/* Why the kind is unknown. */
enum diagnosis_doubt {
    DOUBT_NONE = 0,
    DOUBT_METHOD,    /* a method without bounds */
    DOUBT_PARTIAL,   /* the trace is in partial order */
    DOUBT_TINY,      /* too few records */
    DOUBT_WRAPPED,   /* a counter of 32 bits that wraps */
    DOUBT_ELSEWHERE, /* the clocks looked at do not contradict one another */
    DOUBT_BOTH_WAYS, /* stamps are early and late */
    DOUBT_LATE,      /* stamps are late */
    DOUBT_SILENT,    /* rates, or clocks that stop while their threads are silent */
    DOUBT_MIXED      /* nothing explains it */
};

/* What the words are made of besides the figures. */
struct diagnosis_words {
    enum diagnosis_doubt doubt;
    size_t wrapped;                 /* the thread of DOUBT_WRAPPED */
    csy_diagnosed_clock looks_like; /* of DOUBT_SILENT: a rate, and what it is against */
    size_t against;
    bool rates_untried; /* whether rates of crystals explain it was not asked */
};

/* Whether the witness is two records of one thread.  A message to another thread of its clock is
 * none. */
bool diagnosis_goes_back(const struct csy_sync *sync);

/* How many times as fast as `against` a clock of another unit runs. */
csy_fraction diagnosis_factor(const csy_diagnosed_clock *clock);

/* The text of a diagnosis, which the caller frees.  NULL: no memory. */
char *diagnosis_describe(const struct csy_trace *trace, const struct csy_sync *sync,
                         const csy_diagnosis *diagnosis, const struct diagnosis_words *words);

#endif
