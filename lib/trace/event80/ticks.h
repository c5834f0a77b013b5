/*
 * Seconds in doubles -> ticks in integers.
 *
 * A double is m * 2^e with a whole m.  Its product with the timebase is exact in integers with 64
 * bits for fractions of a tick; further bits are cut off.
 */
#ifndef TRACE_EVENT80_TICKS_H
#define TRACE_EVENT80_TICKS_H

#include "base/number.h"

/* A whole tick. */
#define FINE_TICK ((uint128)1 << 64)

/* So many ticks a double still tells apart. */
#define FINE_TICKS_MAX (INT64_C(1) << 53)

enum fine_fault { FINE_GOOD, FINE_NEGATIVE, FINE_NO_NUMBER, FINE_BEYOND };

struct fine_time {
    uint128 ticks; /* in units of 2^-64 tick, at most FINE_TICKS_MAX */
    uint128 ulp;   /* the value of the last bit of the double, at least 1 */
};

/* bits: of a double as IEEE 754 has it.  *out is set where the result is FINE_GOOD. */
enum fine_fault fine_time(uint64_t bits, uint64_t timebase_hz, struct fine_time *out);

/* The nearest tick, a half going up, and how far off it is. */
int64_t fine_nearest(uint128 ticks, uint128 *remainder);

#endif
