/* Finds out why timestamps contradict the order of records. See doc/diagnosis.md, Causes.
 *
 *   records --windows--> constraints in each part of the trace --suspects--> step, drift, bad clock
 *           --stamps---> records with early timestamps */
#ifndef DIAGNOSIS_DIAGNOSIS_H
#define DIAGNOSIS_DIAGNOSIS_H

#include "diagnosis/explanations.h"
#include "diagnosis/set_clock.h"
#include "sync/solution.h"

/* Why the cause is not known. */
enum diagnosis_doubt {
    DOUBT_NONE = 0,
    DOUBT_METHOD,    /* the method of synchronization computes no bounds */
    DOUBT_PARTIAL,   /* the trace is in partial order */
    DOUBT_TINY,      /* the trace has too few records */
    DOUBT_WRAPPED,   /* a counter of 32 bits seems to have wrapped */
    DOUBT_ELSEWHERE, /* the contradiction is between clocks that were not examined */
    DOUBT_BOTH_WAYS, /* about as many timestamps are too early as too late */
    DOUBT_LATE,      /* most wrong timestamps are late */
    DOUBT_SILENT,    /* clocks either drift, or stop while their threads have no records */
    DOUBT_MIXED      /* none of the causes in doc/diagnosis.md explains the contradiction */
};

/* A clock with a counter that wrapped. */
struct wraps {
    /* how often the clock falls by more than half of its range; 0 if no clock wrapped */
    uint64_t falls;
    size_t clock;
    unsigned bits;
};

/* Facts for the text of a diagnosis that csy_diagnosis does not have. */
struct diagnosis_words {
    enum diagnosis_doubt doubt;
    size_t wrapped; /* with DOUBT_WRAPPED: the thread with a wrapped counter */
    /* for DOUBT_SILENT: a clock that seems to drift, and its rate relative to the clock of the
     * thread `against` */
    csy_diagnosed_clock looks_like;
    size_t against;
    bool rates_untried;   /* true if the rates of usual crystals were not tested as a cause */
    struct set_clock set; /* the clocks that were set; only for traces that are ordered only by
                           * messages */
    struct wraps wraps;   /* for DOUBT_PARTIAL: the counter of this clock wrapped */
    /* true if a thread's time goes back because its spans overlap repeatedly */
    bool overlap;
};

/* Test whether the spans of a thread overlap, so that its time goes back more than once. This takes
 * one pass over the trace. */
csy_status diagnosis_overlaps(struct csy_sync *sync, size_t thread, bool *overlap,
                              csy_error *error);

/* Returns the number of bits of a counter that fell by `least` to `most` ticks when it wrapped.
 * Returns 0 if no usual counter fits, or if the trace is no CSV, because only the times of a CSV
 * can be unwrapped. */
unsigned diagnosis_wrapped_bits(const struct csy_sync *sync, size_t clock, int128 least,
                                int128 most);

/* Look for a clock with a counter that wrapped. This takes one pass over the trace. */
csy_status diagnosis_wraps(struct csy_sync *sync, struct wraps *out, csy_error *error);

/* Returns the reason why the option --steps cannot be used for a trace, or NULL if it can. */
const char *diagnosis_say_uncut(const csy_trace *trace);

/* Returns true if the contradictory cycle consists of two records of one thread. A message between
 * two threads of the same clock does not count. */
bool diagnosis_goes_back(const struct csy_sync *sync);

/* Returns the speed of a clock with another unit, divided by the speed of the compared clock. */
csy_fraction diagnosis_factor(const csy_diagnosed_clock *clock);

/* Returns the text of a diagnosis, which the caller frees, or NULL if out of memory. */
char *diagnosis_describe(const struct csy_trace *trace, const struct csy_sync *sync,
                         const csy_diagnosis *diagnosis, const struct diagnosis_words *words);

#endif
