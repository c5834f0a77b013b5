/* Converts seconds as doubles to ticks as integers.
 *
 * A double is m * 2^e with an integer m. Its product with the timebase is computed in integers with
 * 64 bits for the fraction of a tick. Lower bits are cut off. */
#ifndef TRACE_EVENT80_TICKS_H
#define TRACE_EVENT80_TICKS_H

#include "base/number.h"

/* One tick, in units of 2^-64 tick. */
#define FINE_TICK ((uint128)1 << 64)

/* Up to this number of ticks, a double distinguishes neighbouring ticks. */
#define FINE_TICKS_MAX (INT64_C(1) << 53)

enum fine_fault { FINE_GOOD, FINE_NEGATIVE, FINE_NO_NUMBER, FINE_BEYOND };

struct fine_time {
    uint128 ticks; /* in units of 2^-64 tick, at most FINE_TICKS_MAX */
    uint128 ulp;   /* value of the double's last bit, in the same unit, at least 1 */
};

/* Convert a time in seconds, from the bits of an IEEE 754 double. Sets *out only for FINE_GOOD. */
enum fine_fault fine_time(uint64_t bits, uint64_t timebase_hz, struct fine_time *out);

/* Returns the nearest tick, where halves are rounded up, and the distance from it. */
int64_t fine_nearest(uint128 ticks, uint128 *remainder);

#endif
