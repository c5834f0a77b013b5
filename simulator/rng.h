/* Random numbers that depend only on the seed, from splitmix64 (Steele, Lea and Flood 2014). */
#ifndef PDTSIM_RNG_H
#define PDTSIM_RNG_H

#include <stdint.h>

struct rng {
    uint64_t state;
};

static inline uint64_t rng_next(struct rng *rng)
{
    uint64_t z = (rng->state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* Returns a random number in [0, limit), with a bias of limit / 2^64; 0 < limit < 2^62. */
static inline int64_t rng_below(struct rng *rng, int64_t limit)
{
    return (int64_t)(rng_next(rng) % (uint64_t)limit);
}

/* Returns a uniform random number that differs from value by at most `percent` percent; 0 <= value
 * < 2^54, percent <= 100. */
static inline int64_t rng_about(struct rng *rng, int64_t value, int64_t percent)
{
    int64_t spread = value / 100 * percent + value % 100 * percent / 100;
    return spread ? value - spread + rng_below(rng, 2 * spread + 1) : value;
}

#endif
