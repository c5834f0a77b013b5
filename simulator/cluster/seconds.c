/* See seconds.h. */
#include "simulator/cluster/seconds.h"

#include "base/number.h"

enum { MANTISSA_BITS = 53, EXPONENT_BIAS = 1075, QUOTIENT_BITS = 56 };

static int bits_of(uint64_t value)
{
    return value ? 64 - __builtin_clzll(value) : 0;
}

uint64_t seconds_bits(int64_t ticks, int64_t hz)
{
    if (ticks == 0)
        return 0;
    uint64_t divisor = (uint64_t)hz;
    int shift = QUOTIENT_BITS + bits_of(divisor) - bits_of((uint64_t)ticks);
    shift = shift > 0 ? shift : 0;
    uint128 shifted = (uint128)(uint64_t)ticks << shift;
    /* Keep more bits than a double has. The last bit is set if the division leaves a remainder. */
    uint64_t quotient = (uint64_t)(shifted / divisor);
    quotient |= (uint128)quotient * divisor != shifted;
    int drop = bits_of(quotient) - MANTISSA_BITS;
    if (drop < 1) { /* never true: the quotient has at least QUOTIENT_BITS bits */
        quotient <<= 1 - drop;
        shift += 1 - drop;
        drop = 1;
    }
    uint64_t rest = quotient & ((UINT64_C(1) << drop) - 1), half = UINT64_C(1) << (drop - 1);
    uint64_t mantissa = quotient >> drop;
    mantissa += rest > half || (rest == half && mantissa & 1);
    if (mantissa >> MANTISSA_BITS) {
        mantissa >>= 1;
        drop++;
    }
    return ((uint64_t)(drop - shift + EXPONENT_BIAS) << (MANTISSA_BITS - 1)) |
           (mantissa & ((UINT64_C(1) << (MANTISSA_BITS - 1)) - 1));
}
