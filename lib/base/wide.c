/* Divides and converts 128-bit integers on 32-bit processors. Compilers call these functions by the
 * names that they have in the libraries of GCC and LLVM.
 *
 * Compilers pass a 128-bit number the same way as struct words. */
#include "base/number.h"

#include <string.h>

struct words {
    uint32_t word[4];
};

struct words __divti3(struct words num, struct words den);
struct words __modti3(struct words num, struct words den);
struct words __udivti3(struct words num, struct words den);
struct words __umodti3(struct words num, struct words den);
double __floattidf(struct words value);
double __floatuntidf(struct words value);
struct words __fixdfti(double value);

static int128 number_of(struct words words)
{
    int128 number;
    memcpy(&number, &words, sizeof number);
    return number;
}

static struct words words_of(int128 number)
{
    struct words words;
    memcpy(&words, &number, sizeof words);
    return words;
}

static unsigned leading_zeros(uint128 value)
{
    uint64_t high = (uint64_t)(value >> 64), low = (uint64_t)value;
    if (high)
        return (unsigned)__builtin_clzll(high);
    return 64 + (low ? (unsigned)__builtin_clzll(low) : 64);
}

static uint128 size_of(int128 value)
{
    return value < 0 ? -(uint128)value : (uint128)value;
}

static int128 with_sign(uint128 size, bool negative)
{
    return (int128)(negative ? -size : size);
}

static uint128 divide(uint128 num, uint128 den, uint128 *rest)
{
    uint128 quotient = 0;
    if ((num | den) >> 64 == 0) {
        *rest = (uint64_t)num % (uint64_t)den;
        return (uint64_t)num / (uint64_t)den;
    }
    unsigned places = num < den ? 0 : leading_zeros(den) - leading_zeros(num);
    for (den <<= places;; den >>= 1) {
        bool fits = num >= den;
        quotient = quotient << 1 | fits;
        num -= fits ? den : 0;
        if (places-- == 0)
            break;
    }
    *rest = num;
    return quotient;
}

struct words __udivti3(struct words num, struct words den)
{
    uint128 rest;
    return words_of((int128)divide((uint128)number_of(num), (uint128)number_of(den), &rest));
}

struct words __umodti3(struct words num, struct words den)
{
    uint128 rest;
    (void)divide((uint128)number_of(num), (uint128)number_of(den), &rest);
    return words_of((int128)rest);
}

struct words __divti3(struct words num, struct words den)
{
    int128 a = number_of(num), b = number_of(den);
    uint128 rest;
    return words_of(with_sign(divide(size_of(a), size_of(b), &rest), (a < 0) != (b < 0)));
}

struct words __modti3(struct words num, struct words den)
{
    int128 a = number_of(num), b = number_of(den);
    uint128 rest;
    (void)divide(size_of(a), size_of(b), &rest);
    return words_of(with_sign(rest, a < 0));
}

/* Returns the number as a double. The number is first cut to 64 bits, and its last bit is set if
 * any bit that was cut off was set, so that the number is rounded only once. */
static double double_of(uint128 size)
{
    unsigned zeros = leading_zeros(size), below = zeros < 64 ? 64 - zeros : 0;
    uint64_t top = (uint64_t)(size >> below);
    if ((uint128)top << below != size)
        top |= 1;
    double result = (double)top;
    while (below-- > 0)
        result *= 2;
    return result;
}

double __floattidf(struct words value)
{
    int128 number = number_of(value);
    double size = double_of(size_of(number));
    return number < 0 ? -size : size;
}

double __floatuntidf(struct words value)
{
    return double_of((uint128)number_of(value));
}

struct words __fixdfti(double value)
{
    double size = value < 0 ? -value : value;
    uint64_t high = (uint64_t)(size / 0x1p64);
    uint64_t low = (uint64_t)(size - (double)high * 0x1p64);
    return words_of(with_sign((uint128)high << 64 | low, value < 0));
}
