/* A clock other than the PPE's timebase: it ticks at different moments, and may be fast or slow.
 *
 * True time is the PPE's, in ticks since the start of the run. A clock with a positive rate_ppb is
 * slow: each of its ticks is 1 + rate_ppb / 10^9 true ticks long. With wander, the rate alternates,
 * so that true time as a function of the reading is a line with kinks:
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

/* Drawn rates are within +-drift of true time, and within +-wander of a constant rate. */
struct clock_range {
    int64_t drift_ppb, wander_ppb;
};

/* A clock near the maximum could overflow, so only half of it is permitted. */
#define CLOCK_DRIFT_MAX_PPB (CLOCK_NANO / 2)

struct clock {
    int64_t start_ticks; /* its first reading */
    int64_t phase_nano;  /* the true time when it begins to show that, in [0, 10^9) */
    int64_t rate_ppb, wander_ppb;
    int64_t half_ticks, shift_ticks; /* half a period, and the elapsed part at the start */
};

/* Draw the phase and rates of a clock from a range. */
struct clock clock_draw(struct rng *rng, struct clock_range range, int64_t start_ticks);

/* The reading at a moment in cycles. */
int64_t clock_read(const struct clock *clock, const struct machine *machine, int64_t cycles);

/* The true time when it begins to show a reading, in units of 10^-9 ticks. */
int128 clock_true_nano(const struct clock *clock, int64_t reading);

/* The excess of the tick at a reading over 10^9, and the next reading with another rate; INT64_MAX:
 * none. */
int64_t clock_rate_ppb(const struct clock *clock, int64_t reading);
int64_t clock_next_kink(const struct clock *clock, int64_t reading);

#endif
