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
    DOUBT_METHOD,    /* a method without bounds */
    DOUBT_PARTIAL,   /* the trace is in partial order */
    DOUBT_TINY,      /* too few records */
    DOUBT_WRAPPED,   /* a counter of 32 bits that wraps */
    DOUBT_ELSEWHERE, /* the contradiction is not among the examined clocks */
    DOUBT_BOTH_WAYS, /* timestamps are both early and late */
    DOUBT_LATE,      /* timestamps are late */
    DOUBT_SILENT,    /* either rates, or clocks that stop while their threads are silent */
    DOUBT_MIXED      /* no known cause explains the contradiction */
};

/* A clock with a counter that wrapped. */
struct wraps {
    /* how often the time of the clock falls by more than 2^bits / 2; 0: there is no such clock */
    uint64_t falls;
    size_t clock;
    unsigned bits;
};

/* Data for the text besides the diagnosis. */
struct diagnosis_words {
    enum diagnosis_doubt doubt;
    size_t wrapped;                 /* the thread of DOUBT_WRAPPED */
    csy_diagnosed_clock looks_like; /* for DOUBT_SILENT: a rate, and the clock that it is relative
                                     * to */
    size_t against;
    bool rates_untried;   /* crystal rates as a cause were not tested */
    struct set_clock set; /* for a trace in partial order */
    struct wraps wraps;   /* for DOUBT_PARTIAL */
    bool overlap;         /* for steps_back: spans of the thread overlap repeatedly */
};

/* Test whether spans of a thread overlap so that time goes back more than once. A pass over
 * the trace. */
csy_status diagnosis_overlaps(struct csy_sync *sync, size_t thread, bool *overlap,
                              csy_error *error);

/* The number of bits of a counter that wrapped, if the time of the clock fell by `least` to `most`
 * ticks when it wrapped. 0 if no usual counter fits. Only the times of a CSV can be continued. */
unsigned diagnosis_wrapped_bits(const struct csy_sync *sync, size_t clock, int128 least,
                                int128 most);

/* Look for a clock with a counter that wrapped. A pass over the trace. */
csy_status diagnosis_wraps(struct csy_sync *sync, struct wraps *out, csy_error *error);

/* True if the witness is two records of one thread. A message to another thread of its clock does
 * not count. */
bool diagnosis_goes_back(const struct csy_sync *sync);

/* The speed of a clock with another unit, divided by the speed of `against`. */
csy_fraction diagnosis_factor(const csy_diagnosed_clock *clock);

/* The text of a diagnosis, which the caller frees. NULL: out of memory. */
char *diagnosis_describe(const struct csy_trace *trace, const struct csy_sync *sync,
                         const csy_diagnosis *diagnosis, const struct diagnosis_words *words);

#endif
