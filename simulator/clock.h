/* A clock other than the timebase of the PPE. Its ticks begin at other moments, and may be shorter
 * or longer.
 *
 * True time is the time of the PPE, in ticks since the start of the run. A clock with a positive
 * rate_ppb is slow: each of its ticks takes 1 + rate_ppb / 10^9 true ticks. With wander, the rate
 * alternates between two values every half_ticks. A kink is a reading where the rate changes:
 *
 *      rate_ppb + wander_ppb ____      ____
 *                                \____/    \____
 *      rate_ppb - wander_ppb
 *
 * All arithmetic is exact, in units of 10^-9 ticks. */
#ifndef PDTSIM_CLOCK_H
#define PDTSIM_CLOCK_H

#include "base/number.h"
#include "simulator/machine.h"
#include "simulator/rng.h"

#define CLOCK_NANO INT64_C(1000000000)

/* The limits of random rates, in parts per billion. drift_ppb limits the difference from true time,
 * and wander_ppb limits the difference from the clock's mean rate. */
struct clock_range {
    int64_t drift_ppb, wander_ppb;
};

/* The maximum drift. A clock then runs at most twice as fast as true time, so that its readings
 * cannot overflow. */
#define CLOCK_DRIFT_MAX_PPB (CLOCK_NANO / 2)

struct clock {
    int64_t start_ticks; /* reading of the clock at the start of the run */
    int64_t phase_nano;  /* true time when the clock begins to show start_ticks, in 10^-9 ticks;
                          * below 10^9 */
    int64_t rate_ppb, wander_ppb;
    /* ticks in half a period of the alternating rate, and ticks from the begin of the first period
     * to start_ticks */
    int64_t half_ticks, shift_ticks;
};

/* Returns a clock with a random phase and random rates within `range`. */
struct clock clock_draw(struct rng *rng, struct clock_range range, int64_t start_ticks);

/* Returns the reading of the clock at a time in cycles. */
int64_t clock_read(const struct clock *clock, const struct machine *machine, int64_t cycles);

/* Returns the true time, in units of 10^-9 ticks, when the clock begins to show a reading. */
int128 clock_true_nano(const struct clock *clock, int64_t reading);

/* Returns the rate of the clock at a reading, including its wander. */
int64_t clock_rate_ppb(const struct clock *clock, int64_t reading);

/* Returns the next reading where the rate changes, or INT64_MAX if the rate is constant. */
int64_t clock_next_kink(const struct clock *clock, int64_t reading);

#endif
