/* See ticks.h. */
#include "trace/event80/ticks.h"

enum { MANTISSA_BITS = 52, EXPONENT_MAX = 0x7ff, EXPONENT_BIAS = 1075, FRACTION_BITS = 64 };

#define HIDDEN_BIT (UINT64_C(1) << MANTISSA_BITS)

static int bits_of(uint128 value)
{
    uint64_t high = (uint64_t)(value >> 64), low = (uint64_t)value;
    return high ? 128 - __builtin_clzll(high) : low ? 64 - __builtin_clzll(low) : 0;
}

static uint128 shift(uint128 value, int left)
{
    return left >= 0 ? value << left : left > -128 ? value >> -left : 0;
}

enum fine_fault fine_time(uint64_t bits, uint64_t timebase_hz, struct fine_time *out)
{
    int exponent = (int)(bits >> MANTISSA_BITS & EXPONENT_MAX);
    uint64_t mantissa = bits & (HIDDEN_BIT - 1);
    if (exponent == EXPONENT_MAX && mantissa)
        return FINE_NO_NUMBER;
    if (exponent == 0)
        exponent = 1;
    else
        mantissa |= HIDDEN_BIT;
    if (bits >> 63 && mantissa)
        return FINE_NEGATIVE;
    uint128 product = (uint128)mantissa * timebase_hz;
    int left = exponent - EXPONENT_BIAS + FRACTION_BITS;
    *out = (struct fine_time){0, 1};
    if (product == 0)
        return FINE_GOOD;
    if (exponent == EXPONENT_MAX || bits_of(product) + left > 54 + FRACTION_BITS)
        return FINE_BEYOND;
    out->ticks = shift(product, left);
    out->ulp = shift(timebase_hz, left);
    if (out->ulp == 0)
        out->ulp = 1;
    return out->ticks > (uint128)FINE_TICKS_MAX * FINE_TICK ? FINE_BEYOND : FINE_GOOD;
}

int64_t fine_nearest(uint128 ticks, uint128 *remainder)
{
    uint128 nearest = (ticks + FINE_TICK / 2) / FINE_TICK;
    uint128 whole = nearest * FINE_TICK;
    *remainder = whole > ticks ? whole - ticks : ticks - whole;
    return (int64_t)nearest;
}
