/*
 * Timestamps that went through a floating-point number, as JavaScript, jq 1.6 and columns of floats
 * make of 64-bit integers.
 *
 * A double has 53 bits, so doubles near 1.7e18 are 256 apart.  They are printed in 17 digits, or in
 * as few as tell a double from its neighbours.  The steps of 100 that this gives look finer than
 * the timestamps are.  A printed timestamp of 17 digits is at most half a step from a double; a
 * random one is with a chance of step / spacing.
 *
 * The printed timestamp is off by half the spacing, and by the error of printing: half a step if
 * all 17 digits are printed, up to half the spacing if as few digits as possible are.
 */
#ifndef DIAGNOSIS_FLOATS_H
#define DIAGNOSIS_FLOATS_H

#include "base/number.h"

struct floats {
    double odds;      /* to one, that timestamps of another origin would not look like this */
    uint64_t step;    /* ticks between numbers of 17 digits, the greatest */
    int exponent;     /* the greatest spacing is 2^exponent units */
    bool begun;       /* there is an exponent */
    bool other;       /* a timestamp is no printed double */
    bool all_digits;  /* a timestamp has 17 digits though fewer would have done */
    uint64_t printed; /* timestamps of 17 digits */
};

/* Take a timestamp that was written in units of 10^decimals ticks.  decimals: at most 18. */
void floats_take(struct floats *floats, int64_t ticks, unsigned decimals);

/* The greatest spacing of doubles at these timestamps, in ticks; 0 ticks where none was taken or a
 * fraction does not fit. */
csy_fraction floats_spacing(const struct floats *floats, unsigned decimals);

/* How far two timestamps of one moment can be apart, in ticks: twice a delta of whole ticks. */
uint64_t floats_apart(const struct floats *floats, unsigned decimals);

#endif
