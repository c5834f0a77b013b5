/* A clock other than the timebase of the PPE. Its ticks begin at other moments, and may be shorter
 * or longer.
 *
 * True time is the time of the PPE, in ticks since the start of the run. A clock with a positive
 * rate_ppb is slow: each of its ticks takes 1 + rate_ppb / 10^9 true ticks. With wander, the rate
 * alternates between two values. True time as a function of the reading then has kinks:
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

/* Limits of random rates: drift_ppb from true time, and wander_ppb from the clock's mean rate. */
struct clock_range {
    int64_t drift_ppb, wander_ppb;
};

/* Half of the representable range, so that readings near the maximum cannot overflow. */
#define CLOCK_DRIFT_MAX_PPB (CLOCK_NANO / 2)

struct clock {
    int64_t start_ticks; /* the first reading */
    int64_t phase_nano;  /* the true time when the first reading begins to be shown, in [0, 10^9) */
    int64_t rate_ppb, wander_ppb;
    /* half a period of the alternating rate, and the part of the first period before the start */
    int64_t half_ticks, shift_ticks;
};

/* Draw phase and rates of a clock at random. */
struct clock clock_draw(struct rng *rng, struct clock_range range, int64_t start_ticks);

/* Returns the reading at a time in cycles. */
int64_t clock_read(const struct clock *clock, const struct machine *machine, int64_t cycles);

/* Returns the true time, in units of 10^-9 ticks, when the clock begins to show a reading. */
int128 clock_true_nano(const struct clock *clock, int64_t reading);

/* clock_rate_ppb returns the length of the tick at a reading, minus a true tick, in 10^-9 ticks.
 * clock_next_kink returns the next reading at which the rate changes, or INT64_MAX. */
int64_t clock_rate_ppb(const struct clock *clock, int64_t reading);
int64_t clock_next_kink(const struct clock *clock, int64_t reading);

#endif
