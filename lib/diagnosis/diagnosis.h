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
    DOUBT_ELSEWHERE, /* the examined clocks hardly contradict each other */
    DOUBT_BOTH_WAYS, /* timestamps are early and late */
    DOUBT_LATE,      /* timestamps are late */
    DOUBT_SILENT,    /* clocks either drift, or stop while their threads have no records */
    DOUBT_MIXED      /* no known cause explains the contradiction */
};

/* A clock whose counter wrapped. */
struct wraps {
    /* how often the time of the clock falls by more than 2^bits / 2; 0: no clock wrapped */
    uint64_t falls;
    size_t clock;
    unsigned bits;
};

/* Facts that the text of a diagnosis needs besides csy_diagnosis. */
struct diagnosis_words {
    enum diagnosis_doubt doubt;
    size_t wrapped; /* thread of DOUBT_WRAPPED */
    /* for DOUBT_SILENT: the rate that a clock seems to have, relative to `against` */
    csy_diagnosed_clock looks_like;
    size_t against;
    bool rates_untried;   /* crystal rates were not tested */
    struct set_clock set; /* for a trace in partial order */
    struct wraps wraps;   /* for DOUBT_PARTIAL */
    bool overlap;         /* for a time that goes back: spans of the thread overlap repeatedly */
};

/* Test in one pass over the trace whether spans of a thread overlap, so that its time goes back
 * more than once. */
csy_status diagnosis_overlaps(struct csy_sync *sync, size_t thread, bool *overlap,
                              csy_error *error);

/* The number of bits of a counter, if the time of the clock fell by `least` to `most` ticks when it
 * wrapped. 0 if no usual counter fits. Only the times of a CSV can be continued. */
unsigned diagnosis_wrapped_bits(const struct csy_sync *sync, size_t clock, int128 least,
                                int128 most);

/* Look for a clock whose counter wrapped. One pass over the trace. */
csy_status diagnosis_wraps(struct csy_sync *sync, struct wraps *out, csy_error *error);

/* Returns true if the witness consists of two records of one thread. A message between two threads
 * of one clock does not count. */
bool diagnosis_goes_back(const struct csy_sync *sync);

/* The speed of a clock with another unit, divided by that of `against`. */
csy_fraction diagnosis_factor(const csy_diagnosed_clock *clock);

/* Describe a diagnosis. The caller frees the text. NULL: out of memory. */
char *diagnosis_describe(const struct csy_trace *trace, const struct csy_sync *sync,
                         const csy_diagnosis *diagnosis, const struct diagnosis_words *words);

#endif
