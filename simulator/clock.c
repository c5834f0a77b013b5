/* A clock other than the PPE's timebase. */
#include "simulator/clock.h"

enum { HALF_TICKS = 1 << 20 };

struct clock clock_draw(struct rng *rng, struct clock_range range, int64_t start_ticks)
{
    int64_t wander = range.wander_ppb < range.drift_ppb ? range.wander_ppb : range.drift_ppb;
    int64_t drift = range.drift_ppb - wander;
    struct clock clock = {.start_ticks = start_ticks,
                          .phase_nano = rng_below(rng, CLOCK_NANO),
                          .rate_ppb = rng_below(rng, 2 * drift + 1) - drift,
                          .wander_ppb = wander,
                          .half_ticks = HALF_TICKS + rng_below(rng, HALF_TICKS)};
    /* Start after the first period, so that turned() stays above 0 if jitter lowers a reading. */
    clock.shift_ticks = 2 * clock.half_ticks + rng_below(rng, 2 * clock.half_ticks);
    return clock;
}

/* Returns the number of ticks from the begin of the first period of the rate to a reading. */
static int64_t turned(const struct clock *clock, int64_t reading)
{
    return reading - clock->start_ticks + clock->shift_ticks;
}

/* Returns the true duration of `turned` ticks of the clock, counted from a moment when the
 * alternating rate begins its period. The result is in 10^-9 ticks. */
static int128 true_of(const struct clock *clock, int64_t turned)
{
    int64_t within = turned % (2 * clock->half_ticks);
    int64_t up = within < clock->half_ticks ? within : 2 * clock->half_ticks - within;
    return (int128)turned * (CLOCK_NANO + clock->rate_ppb) + (int128)up * clock->wander_ppb;
}

int128 clock_true_nano(const struct clock *clock, int64_t reading)
{
    return true_of(clock, turned(clock, reading)) - true_of(clock, clock->shift_ticks) +
           clock->phase_nano;
}

int64_t clock_read(const struct clock *clock, const struct machine *machine, int64_t cycles)
{
    int128 now = (int128)cycles * machine->timebase_hz * CLOCK_NANO / machine->cpu_hz;
    now += true_of(clock, clock->shift_ticks) - clock->phase_nano;
    int64_t fast = CLOCK_NANO + clock->rate_ppb + clock->wander_ppb;
    int64_t slow = CLOCK_NANO + clock->rate_ppb - clock->wander_ppb;
    int128 turn = (int128)clock->half_ticks * (fast + slow);
    int128 turns = floor_div(now, turn), rest = now - turns * turn;
    int128 first = (int128)clock->half_ticks * fast;
    int128 within = rest < first ? rest / fast : clock->half_ticks + (rest - first) / slow;
    return (int64_t)(turns * 2 * clock->half_ticks + within) - clock->shift_ticks +
           clock->start_ticks;
}

int64_t clock_rate_ppb(const struct clock *clock, int64_t reading)
{
    bool up = turned(clock, reading) % (2 * clock->half_ticks) < clock->half_ticks;
    return clock->rate_ppb + (up ? clock->wander_ppb : -clock->wander_ppb);
}

int64_t clock_next_kink(const struct clock *clock, int64_t reading)
{
    return clock->wander_ppb
               ? reading + clock->half_ticks - turned(clock, reading) % clock->half_ticks
               : INT64_MAX;
}
