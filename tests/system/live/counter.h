/*
 * The recorder's raw clock, in ticks of a rate of one's own choice:
 *
 *     ticks = raw * scale / 2^32, rounded down
 *
 * Every thread computes the same function of it, so all clocks have exactly one rate.
 */
#ifndef LIVE_COUNTER_H
#define LIVE_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

struct counter {
    uint64_t scale; /* with the error of the rate that was measured, which is that of all */
};

/* Set up a counter of hz ticks per second: the CPU's if it is wanted and can be trusted. */
void counter_init(struct counter *c, uint64_t hz, bool hardware);

/* A time that the raw clock has told. */
uint64_t counter_scaled(const struct counter *c, uint64_t raw);

/* The time now, of just this place in the program. */
uint64_t counter_ticks(const struct counter *c);

#endif
