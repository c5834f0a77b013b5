/* The cause of a contradiction between order and clocks. See doc/diagnosis.md, Causes.
 *
 *   records --windows--> constraints of each window --suspects--> step, drift, bad clock
 *           --stamps---> early timestamps */
#ifndef DIAGNOSIS_DIAGNOSIS_H
#define DIAGNOSIS_DIAGNOSIS_H

#include "diagnosis/explanations.h"
#include "diagnosis/set_clock.h"
#include "sync/solution.h"

/* Why the cause is unknown. */
enum diagnosis_doubt {
    DOUBT_NONE = 0,
    DOUBT_METHOD,    /* the method has no bounds */
    DOUBT_PARTIAL,   /* the trace is in partial order */
    DOUBT_TINY,      /* too few records */
    DOUBT_WRAPPED,   /* a counter of 32 bits that wraps */
    DOUBT_ELSEWHERE, /* the contradiction is not between examined clocks */
    DOUBT_BOTH_WAYS, /* timestamps are early and late */
    DOUBT_LATE,      /* timestamps are late */
    DOUBT_SILENT,    /* either rates, or clocks that stop in silent threads */
    DOUBT_MIXED      /* no known cause explains the contradiction */
};

/* A clock whose counter wrapped. */
struct wraps {
    /* how often its time falls by more than 2^bits / 2; 0: there is no such clock */
    uint64_t falls;
    size_t clock;
    unsigned bits;
};

/* What the text needs besides the diagnosis. */
struct diagnosis_words {
    enum diagnosis_doubt doubt;
    size_t wrapped;                 /* thread of DOUBT_WRAPPED */
    csy_diagnosed_clock looks_like; /* for DOUBT_SILENT: a rate, relative to the clock `against` */
    size_t against;
    bool rates_untried;   /* crystal rates were not tested */
    struct set_clock set; /* for a trace in partial order */
    struct wraps wraps;   /* for DOUBT_PARTIAL */
    bool overlap;         /* for steps_back: spans of the thread overlap again and again */
};

/* Test, in a pass over the trace, whether spans of a thread overlap so that time goes back more
 * than once. */
csy_status diagnosis_overlaps(struct csy_sync *sync, size_t thread, bool *overlap,
                              csy_error *error);

/* The number of bits of a counter, if the time of the clock fell by `least` to `most` ticks when it
 * wrapped. 0 if no usual counter fits. Only the times of a CSV can be continued. */
unsigned diagnosis_wrapped_bits(const struct csy_sync *sync, size_t clock, int128 least,
                                int128 most);

/* Look, in a pass over the trace, for a clock whose counter wrapped. */
csy_status diagnosis_wraps(struct csy_sync *sync, struct wraps *out, csy_error *error);

/* True if the witness is two records of one thread. A message to another thread on its clock does
 * not count. */
bool diagnosis_goes_back(const struct csy_sync *sync);

/* The speed of a clock with another unit, divided by that of `against`. */
csy_fraction diagnosis_factor(const csy_diagnosed_clock *clock);

/* Describe a diagnosis. The caller frees the text. NULL: out of memory. */
char *diagnosis_describe(const struct csy_trace *trace, const struct csy_sync *sync,
                         const csy_diagnosis *diagnosis, const struct diagnosis_words *words);

#endif
