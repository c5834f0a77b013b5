/* Exact numbers: 128-bit integers, quotients, and fractions.
 *
 * Results are exact unless the comment of a function says how it rounds. No function overflows
 * silently. */
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

#include <cellsync/cellsync.h>

/* 32-bit compilers have _BitInt(128) instead of __int128; base/wide.c has its division. */
#ifdef __SIZEOF_INT128__
__extension__ typedef __int128 int128;
__extension__ typedef unsigned __int128 uint128;
#else
__extension__ typedef _BitInt(128) int128;
__extension__ typedef unsigned _BitInt(128) uint128;
#endif

static inline bool fits_int64(int128 value)
{
    return value >= INT64_MIN && value <= INT64_MAX;
}

static inline int64_t nearest_int64(int128 value)
{
    return fits_int64(value) ? (int64_t)value : value < 0 ? INT64_MIN : INT64_MAX;
}

static inline int128 number_distance(int64_t a, int64_t b)
{
    return a < b ? (uint64_t)b - (uint64_t)a : (uint64_t)a - (uint64_t)b;
}

/* Return the quotient num / den, rounded down or up; den > 0. */
int128 floor_div(int128 num, int128 den);
int128 ceil_div(int128 num, int128 den);

/* Returns the greatest common divisor of a and b. If one of them is 0, returns the other. */
uint128 common_divisor(uint128 a, uint128 b);

/* Set *out to num/den in lowest terms. den must be above 0. Returns false if the numerator or the
 * denominator does not fit in 64 bits. */
bool fraction_make(int128 num, int128 den, csy_fraction *out);

/* Parse a number such as "3", "7/2" (with a denominator up to den_max), or "0.25" (with up to six
 * decimals). Returns false for other text. */
bool fraction_parse(const char *text, uint64_t den_max, csy_fraction *out);

/* Set *out to twice the value, rounded up. Returns false if the result does not fit in 64 bits. */
bool fraction_twice_ceil(csy_fraction value, int64_t *out);

enum { FRACTION_TEXT_MAX = 48 };

/* Write a fraction as "3" or "7/2". Returns text. */
const char *fraction_text(csy_fraction value, char text[FRACTION_TEXT_MAX]);

/* mean_make divides a sum of `pairs` values, one for each pair of threads, and keeps the remainder.
 * mean_sum returns the sum. |sum| must be below 2^63 * pairs; `pairs` may be 0. */
csy_mean mean_make(int128 sum, uint64_t pairs);
int128 mean_sum(csy_mean mean);

/* Returns num/den * 10^decimals, below 2^127, rounded (halves up). 0 < den < 2^123. */
int128 decimal_round(int128 num, int128 den, unsigned decimals);

enum { QUOTIENT_TEXT_MAX = 64 };

/* Write a result of decimal_round with `decimals` decimals, from 1 to 18. Returns text. */
const char *decimal_text(int128 units, unsigned decimals, char text[QUOTIENT_TEXT_MAX]);

/* Write num/den with six decimals, halves rounded up. 0 < den < 2^123, |num/den| < 2^106. */
const char *quotient_text(int128 num, int128 den, char text[QUOTIENT_TEXT_MAX]);

/* Write num/den seconds as microseconds with six decimals. |num/den| < 2^86. */
const char *microseconds_text(int128 num, int128 den, char text[QUOTIENT_TEXT_MAX]);

/* Write num/den ticks as a time with a unit, in the format of csy_time_text. den > 0, den *
 * timebase_hz < 2^123, |num/den| < 2^64. Returns text. */
const char *time_text(int128 num, int128 den, uint64_t timebase_hz, char text[CSY_TIME_TEXT_MAX]);

/* Write a time like time_text, but round it up, so that the text is an upper limit. num >= 0. */
const char *time_text_up(int128 num, int128 den, uint64_t timebase_hz,
                         char text[CSY_TIME_TEXT_MAX]);

/* Write a number without a NUL in up to NUMBER_DIGITS_MAX bytes. Returns the end. */
enum { NUMBER_DIGITS_MAX = 20 };
char *number_put(char *at, int64_t value);
char *number_put_unsigned(char *at, uint64_t value);

/* Write the last `digits` decimal or hexadecimal digits of a value. Return the end. */
char *number_put_last(char *at, uint64_t value, unsigned digits);
char *number_put_hex(char *at, uint32_t value, unsigned digits);

/* Write "0x" and 8 to 16 hexadecimal digits: ADDRESS_TEXT_MAX bytes at most. Returns the end. */
enum { ADDRESS_TEXT_MAX = 18 };
char *number_put_address(char *at, uint64_t value);

/* Write decimal_text without a NUL: at most QUOTIENT_TEXT_MAX bytes. Returns the end. */
char *decimal_put(char *at, int128 units, unsigned decimals);

/* Parse a number: decimal, or hexadecimal after 0x. Returns false for other text. */
bool number_parse(const char *text, uint64_t *out);

/* --- Ticks as decimal seconds, computed with integers only --- */

enum { SECONDS_TEXT_MAX = 48 };

/* How to write ticks as seconds: exactly if 18 decimals suffice, otherwise rounded to at least nine
 * decimals, halves away from zero; different ticks still have different texts. */
struct seconds {
    uint64_t timebase_hz;
    unsigned decimals;
    uint64_t unit;  /* 10^decimals: number of units of the last decimal in a second */
    uint64_t scale; /* multiply ticks by this to get units of the last decimal; 0 if it is not an
                     * integer */
};

struct seconds seconds_of(uint64_t timebase_hz);

/* Write ticks as seconds, without a NUL: at most SECONDS_TEXT_MAX bytes. Returns the end. */
char *seconds_put(char *at, const struct seconds *seconds, int64_t ticks);

#endif
