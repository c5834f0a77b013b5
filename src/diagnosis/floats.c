/* Timestamps that went through a floating-point number. */
#include "diagnosis/floats.h"

enum { MANTISSA_BITS = 53 };

#define DIGITS_17 UINT64_C(10000000000000000) /* the least number of them */

/* Doubles are num/den ticks apart. */
struct spacing {
    uint128 num, den;
};

static struct spacing spacing_of(int exponent, unsigned decimals)
{
    struct spacing spacing = {1, 1};
    for (unsigned i = 0; i < decimals; i++)
        spacing.num *= 10;
    for (int i = 0; i < exponent; i++)
        spacing.num *= 2;
    for (int i = 0; i > exponent; i--)
        spacing.den *= 2;
    return spacing;
}

/* The e with 2^52 <= size / (10^decimals 2^e) < 2^53. */
static int exponent_of(uint64_t size, unsigned decimals)
{
    uint128 unit = spacing_of(0, decimals).num, value = size;
    int exponent = 0;
    for (; value < unit << (MANTISSA_BITS - 1); exponent--)
        value *= 2;
    for (; value >= unit << MANTISSA_BITS; exponent++)
        unit *= 2;
    return exponent;
}

static uint128 nearest(uint128 num, uint128 den)
{
    return (num + den / 2) / den;
}

static uint128 apart(uint128 a, uint128 b)
{
    return a > b ? a - b : b - a;
}

/* Take a timestamp of 17 digits, the last of which counts `step` ticks. */
static void take_printed(struct floats *floats, uint64_t size, uint64_t step,
                         const struct spacing *spacing)
{
    /* The double, and the nearest numbers of 16 and 17 digits, in parts of spacing->den. */
    uint128 written = size * spacing->den, digit = step * spacing->den;
    uint128 value = nearest(written, spacing->num) * spacing->num;
    uint128 shorter = nearest(value, 10 * digit) * 10 * digit;
    if (2 * apart(written, value) > digit) {
        floats->other = true;
        return;
    }
    floats->printed++;
    floats->odds *= (double)spacing->num / (double)digit;
    floats->all_digits = floats->all_digits || 2 * apart(shorter, value) < spacing->num;
    floats->step = step > floats->step ? step : floats->step;
}

void floats_take(struct floats *floats, int64_t ticks, unsigned decimals)
{
    uint64_t size = ticks < 0 ? -(uint64_t)ticks : (uint64_t)ticks, digits = size, step = 1;
    if (size == 0)
        return;
    int exponent = exponent_of(size, decimals);
    floats->odds = floats->begun ? floats->odds : 1;
    floats->exponent = floats->begun && floats->exponent > exponent ? floats->exponent : exponent;
    floats->begun = true;
    for (; digits % 10 == 0; digits /= 10)
        step *= 10;
    struct spacing spacing = spacing_of(exponent, decimals);
    if (digits >= 10 * DIGITS_17)
        floats->other = true;
    else if (digits >= DIGITS_17)
        take_printed(floats, size, step, &spacing);
}

csy_fraction floats_spacing(const struct floats *floats, unsigned decimals)
{
    csy_fraction out = {0, 1};
    struct spacing spacing = spacing_of(floats->exponent, decimals);
    if (floats->begun && fits_int64((int128)spacing.num) && fits_int64((int128)spacing.den))
        fraction_make((int128)spacing.num, (int128)spacing.den, &out);
    return out;
}

uint64_t floats_apart(const struct floats *floats, unsigned decimals)
{
    struct spacing spacing = spacing_of(floats->exponent, decimals);
    uint128 printing = floats->all_digits ? floats->step * spacing.den : spacing.num;
    return 2 * (uint64_t)((spacing.num + printing + 2 * spacing.den - 1) / (2 * spacing.den));
}
