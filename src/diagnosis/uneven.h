/*
 * Steps of clocks that are no whole number of ticks, as of a counter of 14.318 MHz printed in ns.
 *
 * Stamps of such a clock are multiples of a step p from some instant on, each rounded to a tick, so
 * each gap between two of them is less than a tick off a multiple of p.  Wanted is the greatest p
 * of which that holds, from 10 ticks on, where it is no chance.  The instant does not matter.
 */
#ifndef DIAGNOSIS_UNEVEN_H
#define DIAGNOSIS_UNEVEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { UNEVEN_GAPS_MAX = 32 };

/* A stamp, and how long after the one before. */
struct uneven_gap {
    uint64_t ticks;
    int64_t end_ticks;
};

struct uneven_clock {
    struct uneven_gap gaps[UNEVEN_GAPS_MAX]; /* the first ones no two of which are within a tick */
    int64_t last_ticks;
    uint64_t unit; /* of which all stamps are known to be multiples */
    uint32_t count;
    uint32_t seen, equal;             /* gaps, and pairs of neighbours without one */
    uint32_t early_seen, early_count; /* of the first gaps, as many as there is room for */
    bool begun;                       /* there are last_ticks */
    bool fine;                        /* it has gaps too small for a step */
    uint64_t tenths;                  /* its step in tenths of a tick; 0: none was found */
    uint64_t rounded; /* by less than so many ticks such stamps are apart that are of one moment */
};

struct uneven {
    struct uneven_clock *clocks;
    size_t count; /* the first ones of the trace */
    size_t open;  /* of these, whose gaps are still to be taken */
};

/* None where there is no memory for it. */
void uneven_begin(struct uneven *uneven, size_t clocks);
void uneven_end(struct uneven *uneven);

/* The next stamp of clock t. */
void uneven_take(struct uneven *uneven, size_t t, int64_t ticks);

/* Find the step of each clock, in units of its own.  Work is bounded: below some milliseconds. */
void uneven_judge(struct uneven *uneven);

#endif
