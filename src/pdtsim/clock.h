/*
 * A clock that is not the PPE's timebase: it ticks at moments of its own, and may be fast or slow.
 *
 * True time is the PPE's, in ticks since the start of the run.  A clock that gains rate_ppb is slow
 * by as much: each of its ticks is 1 + rate_ppb / 10^9 true ticks long.  With wander that goes up
 * and down by turns, so that true time as a function of the reading is a line with kinks:
 *
 *      slope   rate + wander ____      ____
 *                                \____/    \____    half_ticks each, the first one cut short
 *              rate - wander
 *
 * All arithmetic is exact, in 10^-9 ticks.
 */
#ifndef PDTSIM_CLOCK_H
#define PDTSIM_CLOCK_H

#include "base/number.h"
#include "pdtsim/machine.h"
#include "pdtsim/rng.h"

#define CLOCK_NANO INT64_C(1000000000)

/* Drawn rates are within +-drift of true time, and within +-wander of one that is constant. */
struct clock_range {
    int64_t drift_ppb, wander_ppb;
};

/* Half of that: a clock that shows 10^18 would be too near to overflow. */
#define CLOCK_DRIFT_MAX_PPB (CLOCK_NANO / 2)

struct clock {
    int64_t start_ticks; /* what it shows first */
    int64_t phase_nano;  /* the true time when it begins to show that, in [0, 10^9) */
    int64_t rate_ppb, wander_ppb;
    int64_t half_ticks, shift_ticks; /* half a turn, and how much of one is over at the start */
};

/* A clock with a phase and rates drawn from a range. */
struct clock clock_draw(struct rng *rng, struct clock_range range, int64_t start_ticks);

/* What it shows at that moment, in cycles. */
int64_t clock_read(const struct clock *clock, const struct machine *machine, int64_t cycles);

/* The true time when it begins to show that, in 10^-9 ticks. */
int128 clock_true_nano(const struct clock *clock, int64_t reading);

/* How much longer than 10^9 its tick from that reading on is, and the next reading from which on it
 * is not; INT64_MAX: none. */
int64_t clock_rate_ppb(const struct clock *clock, int64_t reading);
int64_t clock_next_kink(const struct clock *clock, int64_t reading);

#endif
