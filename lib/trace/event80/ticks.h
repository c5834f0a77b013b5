/*
 * Converts seconds as doubles to ticks as integers.
 *
 * A double is m * 2^e with an integer m. Its product with the timebase is computed in integers with
 * 64 bits for fractions of a tick. Bits below these are cut off.
 */
#ifndef TRACE_EVENT80_TICKS_H
#define TRACE_EVENT80_TICKS_H

#include "base/number.h"

/* One tick, in units of 2^-64 tick. */
#define FINE_TICK ((uint128)1 << 64)

/* The limit for times: up to this number of ticks, a double still distinguishes ticks. */
#define FINE_TICKS_MAX (INT64_C(1) << 53)

enum fine_fault { FINE_GOOD, FINE_NEGATIVE, FINE_NO_NUMBER, FINE_BEYOND };

struct fine_time {
    uint128 ticks; /* in units of 2^-64 tick, at most FINE_TICKS_MAX */
    uint128 ulp;   /* the value of the last bit of the double, in the same unit; at least 1 */
};

/* Convert a time in seconds, given by the bits of a double (IEEE 754). *out is set only if the
 * result is FINE_GOOD. */
enum fine_fault fine_time(uint64_t bits, uint64_t timebase_hz, struct fine_time *out);

/* The nearest tick; a half is rounded up. *remainder is the distance from it. */
int64_t fine_nearest(uint128 ticks, uint128 *remainder);

#endif
