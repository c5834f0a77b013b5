/*
 * The clock of this machine that all threads read, in ticks of a rate of one's own choice:
 *
 *     ticks = raw * scale / 2^32, rounded down
 *
 * raw is the counter of the CPU (TSC; CNTVCT) where all cores agree on it, else CLOCK_MONOTONIC in
 * nanoseconds.  Every thread computes the same function of it, so all clocks have exactly one rate.
 */
#ifndef LIVE_COUNTER_H
#define LIVE_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

struct counter {
    bool hardware;
    uint64_t raw_hz; /* measured if the CPU does not say it; its error is that of the rate of all */
    uint64_t scale;
};

/* Set up a counter of hz ticks per second: the CPU's if it is wanted and can be trusted. */
void counter_init(struct counter *c, uint64_t hz, bool hardware);

/* The time now.  What stands before is done before the clock is read, what stands behind is not
 * begun before: a stamp belongs to its place in the program. */
uint64_t counter_ticks(const struct counter *c);

/* What it reads, for messages. */
const char *counter_name(const struct counter *c);

#endif
