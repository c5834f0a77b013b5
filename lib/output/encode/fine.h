/* Arithmetic and printing of csy_fine, numbers with nine decimals. */
#ifndef OUTPUT_ENCODE_FINE_H
#define OUTPUT_ENCODE_FINE_H

#include "base/number.h"

#define FINE_UNIT 1000000000

static inline int128 power_of_ten(unsigned exponent)
{
    int128 power = 1;
    while (exponent-- > 0)
        power *= 10;
    return power;
}

enum rounding { DOWN, NEAREST, UP };

static inline int128 divide_rounded(int128 n, int128 d, enum rounding rounding)
{
    return rounding == DOWN ? floor_div(n, d)
           : rounding == UP ? ceil_div(n, d)
                            : floor_div(2 * n + d, 2 * d);
}

static inline int128 fine_units(csy_fine value)
{
    return (int128)value.ticks * FINE_UNIT + value.billionths;
}

/* Subtract b from a. The absolute difference must be below 2^63 ticks. */
static inline csy_fine fine_difference(csy_fine a, csy_fine b)
{
    int128 units = fine_units(a) - fine_units(b), ticks = floor_div(units, FINE_UNIT);
    return (csy_fine){(int64_t)ticks, (uint32_t)(units - ticks * FINE_UNIT)};
}

static inline int64_t fine_up(csy_fine value)
{
    return value.ticks + (value.billionths > 0);
}

/* Round a value up to `decimals` decimals, at most nine. */
static inline csy_fine fine_rounded_up(csy_fine value, unsigned decimals)
{
    int128 part = FINE_UNIT / power_of_ten(decimals);
    int128 units = ceil_div(fine_units(value), part) * part, ticks = floor_div(units, FINE_UNIT);
    return (csy_fine){(int64_t)ticks, (uint32_t)(units - ticks * FINE_UNIT)};
}

/* Print a value with up to nine decimals; halves are rounded up. Returns text. */
static inline const char *fine_text(csy_fine value, unsigned decimals, char text[QUOTIENT_TEXT_MAX])
{
    return decimal_text(decimal_round(fine_units(value), FINE_UNIT, decimals), decimals, text);
}

#endif
