/*
 * Exact numbers: 128-bit integers, floors and fractions.
 *
 * Nothing here rounds unless its name says how, and nothing overflows silently.
 */
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

#include <cellsync/cellsync.h>

/* Where pointers have 32 bits there is no __int128; what stands for it divides by base/wide.c. */
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

/* The nearest number of 64 bits. */
static inline int64_t nearest_int64(int128 value)
{
    return fits_int64(value) ? (int64_t)value : value < 0 ? INT64_MIN : INT64_MAX;
}

/* Quotients rounded down and up; den > 0. */
int128 floor_div(int128 num, int128 den);
int128 ceil_div(int128 num, int128 den);

/* The greatest number that divides both; of 0 and another one that. */
uint128 common_divisor(uint128 a, uint128 b);

/* num/den in lowest terms; false if a part does not fit.  den > 0. */
bool fraction_make(int128 num, int128 den, csy_fraction *out);

/* Parse "7/2" with a denominator up to den_max, "0.25" with up to six decimals, or "3". */
bool fraction_parse(const char *text, uint64_t den_max, csy_fraction *out);

/* ceil(2 * value); false if it does not fit. */
bool fraction_twice_ceil(csy_fraction value, int64_t *out);

enum { FRACTION_TEXT_MAX = 48 };

/* "3" or "7/2".  Returns text. */
const char *fraction_text(csy_fraction value, char text[FRACTION_TEXT_MAX]);

/* A sum as the mean over that many, which are not 0 unless it is, and back.  |sum| < 2^63 pairs. */
csy_mean mean_make(int128 sum, uint64_t pairs);
int128 mean_sum(csy_mean mean);

/* num * 10^decimals / den, halves up (towards +infinity): num/den in units of its last decimal.
 * 0 < den < 2^123; the result within 127 bits. */
int128 decimal_round(int128 num, int128 den, unsigned decimals);

enum { QUOTIENT_TEXT_MAX = 64 };

/* What decimal_round gave, with 1 to 18 decimals.  Returns text. */
const char *decimal_text(int128 units, unsigned decimals, char text[QUOTIENT_TEXT_MAX]);

/* num/den with six decimals, halves up (towards +infinity); 0 < den < 2^123, |num/den| < 2^106.
 * Returns text. */
const char *quotient_text(int128 num, int128 den, char text[QUOTIENT_TEXT_MAX]);

/* The same of num/den seconds in microseconds; |num/den| < 2^86. */
const char *microseconds_text(int128 num, int128 den, char text[QUOTIENT_TEXT_MAX]);

/* num/den ticks of a timebase for people, as csy_time_text has it; den > 0, den * timebase_hz
 * below 2^123, |num/den| < 2^64.  Returns text. */
const char *time_text(int128 num, int128 den, uint64_t timebase_hz, char text[CSY_TIME_TEXT_MAX]);

/* Write value in decimal at `at`, without a NUL, and return its end.  There is room for
 * NUMBER_DIGITS_MAX characters, which may all be overwritten. */
enum { NUMBER_DIGITS_MAX = 20 };
char *number_put(char *at, int64_t value);
char *number_put_unsigned(char *at, uint64_t value);

/* The last so many digits of it in hexadecimal. */
char *number_put_hex(char *at, uint32_t value, unsigned digits);

/* An address as all outputs have it: "0x" and 8 digits, or as many as it takes.  There is room for
 * ADDRESS_TEXT_MAX characters. */
enum { ADDRESS_TEXT_MAX = 18 };
char *number_put_address(char *at, uint64_t value);

/* The text of decimal_text, without a NUL; there is room for QUOTIENT_TEXT_MAX characters. */
char *decimal_put(char *at, int128 units, unsigned decimals);

/* Parse a whole unsigned number, decimal or hexadecimal after 0x; false unless all of it is. */
bool number_parse(const char *text, uint64_t *out);

#endif
