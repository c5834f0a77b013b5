/* A clock other than the timebase of the PPE. It ticks at other moments, and its ticks may be
 * shorter or longer.
 *
 * True time is the time of the PPE, in ticks since the start of the run. A clock with a positive
 * rate_ppb is slow: each of its ticks takes 1 + rate_ppb / 10^9 true ticks. With wander, the rate
 * alternates between two values, so that true time as a function of the reading consists of lines
 * with kinks:
 *
 *      slope   rate + wander ____      ____
 *                                \____/    \____    half_ticks each, the first one cut short
 *              rate - wander
 *
 * All arithmetic is exact, in units of 10^-9 ticks. */
#ifndef PDTSIM_CLOCK_H
#define PDTSIM_CLOCK_H

#include "base/number.h"
#include "simulator/machine.h"
#include "simulator/rng.h"

#define CLOCK_NANO INT64_C(1000000000)

/* Limits for rates that are drawn at random: within +-drift of the rate of true time, and with
 * wander within +-wander of a constant rate. */
struct clock_range {
    int64_t drift_ppb, wander_ppb;
};

/* The limit for rates. A reading near the maximum could overflow, so only half of the range is
 * permitted. */
#define CLOCK_DRIFT_MAX_PPB (CLOCK_NANO / 2)

struct clock {
    int64_t start_ticks; /* its first reading */
    int64_t phase_nano;  /* the true time when the first reading begins to be shown, in [0, 10^9) */
    int64_t rate_ppb, wander_ppb;
    /* half_ticks: half a period of the alternating rate; shift_ticks: the part of it that had
     * passed at the start */
    int64_t half_ticks, shift_ticks;
};

/* Draw the phase and rates of a clock from a range. */
struct clock clock_draw(struct rng *rng, struct clock_range range, int64_t start_ticks);

/* The reading at a moment in cycles. */
int64_t clock_read(const struct clock *clock, const struct machine *machine, int64_t cycles);

/* The true time, in units of 10^-9 ticks, at which the clock begins to show a reading. */
int128 clock_true_nano(const struct clock *clock, int64_t reading);

/* clock_rate_ppb: the rate at a reading, as the length of the tick minus 10^9, in 10^-9 ticks.
 * clock_next_kink: the next reading at which the rate changes, or INT64_MAX if there is none. */
int64_t clock_rate_ppb(const struct clock *clock, int64_t reading);
int64_t clock_next_kink(const struct clock *clock, int64_t reading);

#endif
