/* See number.h. */
#include "base/number.h"

#include <inttypes.h>
#include <string.h>

enum { DENOMINATOR_MAX = 1000000 };

int128 floor_div(int128 num, int128 den)
{
    int64_t small = (int64_t)num, by = (int64_t)den;
    if (small == num && by == den && by > 0) /* 64-bit division is faster */
        return small / by - (small % by < 0);
    return num / den - (num % den < 0);
}

int128 ceil_div(int128 num, int128 den)
{
    return -floor_div(-num, den);
}

uint128 common_divisor(uint128 a, uint128 b)
{
    while (b != 0) {
        uint128 rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

bool fraction_make(int128 num, int128 den, csy_fraction *out)
{
    int128 common = (int128)common_divisor((uint128)(num < 0 ? -num : num), (uint128)den);
    if (common != 0) {
        num /= common;
        den /= common;
    }
    if (!fits_int64(num) || !fits_int64(den))
        return false;
    *out = (csy_fraction){(int64_t)num, (int64_t)den};
    return true;
}

bool fraction_twice_ceil(csy_fraction value, int64_t *out)
{
    int128 twice = ceil_div((int128)2 * value.num, value.den);
    if (!fits_int64(twice))
        return false;
    *out = (int64_t)twice;
    return true;
}

const char *fraction_text(csy_fraction value, char text[FRACTION_TEXT_MAX])
{
    if (value.den == 1)
        snprintf(text, FRACTION_TEXT_MAX, "%" PRId64, value.num);
    else
        snprintf(text, FRACTION_TEXT_MAX, "%" PRId64 "/%" PRId64, value.num, value.den);
    return text;
}

enum { EIGHT_DIGITS = 100000000 };

/* Split a value below 10^8 into eight digits, one in each byte, the first in the lowest byte. Each
 * step divides all parts at once: into four digits, then two, then one. */
static uint64_t split_eight(uint32_t value)
{
    uint64_t fours = value / 10000 | (uint64_t)(value % 10000) << 32;
    uint64_t hundreds = fours * 5243 >> 19 & UINT64_C(0x0000007f0000007f);
    uint64_t twos = hundreds | (fours - 100 * hundreds) << 16;
    uint64_t tens = twos * 103 >> 10 & UINT64_C(0x000f000f000f000f);
    return tens | (twos - 10 * tens) << 8;
}

static void put_word(char *at, uint64_t word)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    memcpy(at, &word, sizeof word);
}

#define ZEROS UINT64_C(0x3030303030303030)

static void put_eight(char *at, uint32_t value)
{
    put_word(at, split_eight(value) + ZEROS);
}

/* Write a value below 10^8 without leading zeros. Overwrites eight characters. Returns the end. */
static char *put_few(char *at, uint32_t value)
{
    uint64_t digits = split_eight(value);
    unsigned unused = (unsigned)__builtin_ctzll(digits) / 8;
    put_word(at, (digits + ZEROS) >> 8 * unused);
    return at + 8 - unused;
}

char *number_put_unsigned(char *at, uint64_t value)
{
    if (value < 10) {
        *at = (char)('0' + value);
        return at + 1;
    }
    if (value < EIGHT_DIGITS)
        return put_few(at, (uint32_t)value);
    uint64_t high = value / EIGHT_DIGITS;
    at = put_few(at, (uint32_t)(high < EIGHT_DIGITS ? high : high / EIGHT_DIGITS));
    if (high >= EIGHT_DIGITS) {
        put_eight(at, (uint32_t)(high % EIGHT_DIGITS));
        at += 8;
    }
    put_eight(at, (uint32_t)(value % EIGHT_DIGITS));
    return at + 8;
}

char *number_put(char *at, int64_t value)
{
    if (value >= 0)
        return number_put_unsigned(at, (uint64_t)value);
    *at = '-';
    return number_put_unsigned(at + 1, -(uint64_t)value);
}

char *number_put_hex(char *at, uint32_t value, unsigned digits)
{
    for (unsigned i = digits; i > 0; value >>= 4)
        at[--i] = "0123456789abcdef"[value & 15];
    return at + digits;
}

char *number_put_address(char *at, uint64_t value)
{
    unsigned digits = 8;
    while (digits < 16 && value >> 4 * digits)
        digits++;
    *at++ = '0';
    *at++ = 'x';
    if (digits > 8)
        at = number_put_hex(at, (uint32_t)(value >> 32), digits - 8);
    return number_put_hex(at, (uint32_t)value, 8);
}

char *number_put_last(char *at, uint64_t value, unsigned digits)
{
    for (unsigned i = digits; i > 0; value /= 10)
        at[--i] = (char)('0' + value % 10);
    return at + digits;
}

/* Write a 128-bit number: its first digits, then groups of nineteen digits. Returns the end. */
static char *put_wide(char *at, uint128 value)
{
    const uint64_t unit = UINT64_C(10000000000000000000);
    if (value <= UINT64_MAX)
        return number_put_unsigned(at, (uint64_t)value);
    uint128 high = value / unit;
    at = number_put_unsigned(at, (uint64_t)(high <= UINT64_MAX ? high : high / unit));
    if (high > UINT64_MAX)
        at = number_put_last(at, (uint64_t)(high % unit), 19);
    return number_put_last(at, (uint64_t)(value % unit), 19);
}

char *decimal_put(char *at, int128 units, unsigned decimals)
{
    uint128 size = units < 0 ? -(uint128)units : (uint128)units;
    uint64_t rest;
    if (units < 0)
        *at++ = '-';
    if (decimals == 3 && size <= UINT64_MAX) {
        at = number_put_unsigned(at, (uint64_t)size / 1000);
        rest = (uint64_t)size % 1000;
    } else {
        uint128 unit = 1;
        for (unsigned i = 0; i < decimals; i++)
            unit *= 10;
        at = put_wide(at, size / unit);
        rest = (uint64_t)(size % unit);
    }
    *at++ = '.';
    return number_put_last(at, rest, decimals);
}

csy_mean mean_make(int128 sum, uint64_t pairs)
{
    if (pairs == 0)
        return (csy_mean){0};
    int128 ticks = floor_div(sum, (int128)pairs);
    return (csy_mean){pairs, (int64_t)ticks, (uint64_t)(sum - ticks * (int128)pairs)};
}

int128 mean_sum(csy_mean mean)
{
    return (int128)mean.ticks * (int128)mean.pairs + (int128)mean.rest;
}

/* Returns num/den * 10^decimals, rounded down. *rest / den is the part of a unit that was cut off.
 * Digits are computed one by one, because den * 10^decimals could overflow. */
static int128 decimal_floor(int128 num, int128 den, unsigned decimals, int128 *rest)
{
    int128 units = floor_div(num, den);
    *rest = num - units * den;
    while (decimals-- > 0) {
        int128 digit = 10 * *rest / den;
        units = 10 * units + digit;
        *rest = 10 * *rest - digit * den;
    }
    return units;
}

/* The first branch computes all digits at once if no step exceeds 64 bits. */
int128 decimal_round(int128 num, int128 den, unsigned decimals)
{
    static const uint32_t powers[] = {1,      10,      100,      1000,      10000,
                                      100000, 1000000, 10000000, 100000000, 1000000000};
    if (num >= 0 && num <= UINT64_MAX && den <= UINT32_MAX &&
        decimals < sizeof powers / sizeof *powers) {
        uint64_t all = (uint64_t)num, by = (uint64_t)den, unit = powers[decimals];
        return (int128)(all / by) * (int128)unit + (int128)((all % by * unit + by / 2) / by);
    }
    int128 rest, units = decimal_floor(num, den, decimals, &rest);
    return units + (2 * rest >= den);
}

const char *decimal_text(int128 units, unsigned decimals, char text[QUOTIENT_TEXT_MAX])
{
    *decimal_put(text, units, decimals) = 0;
    return text;
}

const char *quotient_text(int128 num, int128 den, char text[QUOTIENT_TEXT_MAX])
{
    return decimal_text(decimal_round(num, den, 6), 6, text);
}

const char *microseconds_text(int128 num, int128 den, char text[QUOTIENT_TEXT_MAX])
{
    return decimal_text(decimal_round(num, den, 12), 6, text);
}

/* Times are written in s, ms, us, or ns, below THREE_DIGITS, with up to TIME_DECIMALS_MAX
 * decimals. */
enum { TIME_DECIMALS_MAX = 12, TIME_UNITS = 4, THREE_DIGITS = 1000 };

/* Returns num/den * 10^decimals, rounded up if `up` is true, otherwise to the nearest integer. */
static int128 round_time(int128 num, int128 den, unsigned decimals, bool up)
{
    int128 rest;
    if (!up)
        return decimal_round(num, den, decimals);
    int128 units = decimal_floor(num, den, decimals, &rest);
    return units + (rest > 0);
}

static const char *put_time(int128 num, int128 den, uint64_t timebase_hz, bool up,
                            char text[CSY_TIME_TEXT_MAX])
{
    static const char *const units[TIME_UNITS] = {"s", "ms", "us", "ns"};
    char digits[QUOTIENT_TEXT_MAX];
    int128 size = (int128)(num < 0 ? -(uint128)num : (uint128)num);
    unsigned unit = TIME_UNITS - 1, decimals = TIME_DECIMALS_MAX;
    den *= (int128)timebase_hz;
    while (unit > 0 && round_time(size, den, 3 * unit, up) >= THREE_DIGITS)
        unit--;
    while (decimals > 0 && round_time(size, den, 3 * unit + decimals, up) >= THREE_DIGITS)
        decimals--;
    int128 rounded = round_time(size, den, 3 * unit + decimals, up);
    decimal_text(rounded, decimals, digits);
    size_t end = strlen(digits);
    while (digits[end - 1] == '0')
        end--;
    digits[digits[end - 1] == '.' ? end - 1 : end] = 0;
    snprintf(text, CSY_TIME_TEXT_MAX, "%s%s %s", num < 0 && rounded > 0 ? "-" : "", digits,
             units[unit]);
    return text;
}

const char *time_text(int128 num, int128 den, uint64_t timebase_hz, char text[CSY_TIME_TEXT_MAX])
{
    return put_time(num, den, timebase_hz, false, text);
}

const char *time_text_up(int128 num, int128 den, uint64_t timebase_hz, char text[CSY_TIME_TEXT_MAX])
{
    return put_time(num, den, timebase_hz, true, text);
}

const char *csy_time_text(csy_fraction ticks, uint64_t timebase_hz, char text[CSY_TIME_TEXT_MAX])
{
    int128 num = ticks.num, den = ticks.den;
    const int128 most = (int128)1 << 120;
    for (; den > most / (int128)timebase_hz; den /= 2)
        num /= 2;
    return time_text(num, den, timebase_hz, text);
}

/* Read decimal digits at *at, and move *at. Returns false without a digit, or on overflow. */
static bool digits_parse(const char **at, uint64_t *out)
{
    uint64_t value = 0;
    const char *p = *at;
    for (; *p >= '0' && *p <= '9'; p++) {
        uint64_t digit = (uint64_t)(*p - '0');
        if (value > (UINT64_MAX - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    if (p == *at)
        return false;
    *at = p;
    *out = value;
    return true;
}

bool number_parse(const char *text, uint64_t *out)
{
    uint64_t value;
    if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
        const char *p = text + 2;
        size_t ndigits = strspn(p, "0123456789abcdefABCDEF");
        if (ndigits == 0 || ndigits > 16 || p[ndigits])
            return false;
        for (value = 0; *p; p++)
            value = value << 4 | (uint64_t)(*p <= '9' ? *p - '0' : (*p | 0x20) - 'a' + 10);
        *out = value;
        return true;
    }
    if (!digits_parse(&text, &value) || *text)
        return false;
    *out = value;
    return true;
}

bool fraction_parse(const char *text, uint64_t den_max, csy_fraction *out)
{
    uint64_t whole = 0, below;
    if (*text != '.' && !digits_parse(&text, &whole))
        return false;
    int128 num = (int128)whole, den = 1;
    if (*text == '/') {
        text++;
        if (!digits_parse(&text, &below) || below == 0 || below > den_max)
            return false;
        den = (int128)below;
    } else if (*text == '.') {
        for (text++; *text >= '0' && *text <= '9'; text++) {
            if (den >= DENOMINATOR_MAX)
                return false;
            num = num * 10 + (*text - '0');
            den *= 10;
        }
        if (den == 1)
            return false;
    }
    return !*text && fraction_make(num, den, out);
}

bool csy_fraction_parse(const char *text, csy_fraction *out)
{
    return fraction_parse(text, DENOMINATOR_MAX, out);
}

/* Returns the units per second, or 0 for ticks. Sets *known to false for an unknown unit. The micro
 * sign and the Greek letter mu look alike. */
static uint64_t unit_parse(const char *text, bool *known)
{
    static const struct {
        const char *name;
        uint64_t per_second;
    } units[] = {{"", 0},
                 {"ticks", 0},
                 {"tick", 0},
                 {"s", 1},
                 {"ms", 1000},
                 {"us", 1000000},
                 {"\xc2\xb5s", 1000000},
                 {"\xce\xbcs", 1000000},
                 {"ns", 1000000000}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        *known = strcmp(text, units[i].name) == 0;
        if (*known)
            return units[i].per_second;
    }
    return 1;
}

bool csy_time_parse(const char *text, uint64_t timebase_hz, csy_fraction *ticks)
{
    enum { NUMBER_MAX = 64 };
    char number[NUMBER_MAX];
    size_t size = strspn(text, "0123456789./");
    csy_fraction value, scale;
    bool known;
    uint64_t per_second = unit_parse(text + size + strspn(text + size, " "), &known);
    if (size >= sizeof number || !known)
        return false;
    memcpy(number, text, size);
    number[size] = 0;
    if (!csy_fraction_parse(number, &value))
        return false;
    if (per_second == 0)
        scale = (csy_fraction){1, 1};
    else if (!fraction_make((int128)timebase_hz, (int128)per_second, &scale))
        return false;
    /* products fit in 128 bits, because all factors are below 2^63 */
    return fraction_make((int128)value.num * scale.num, (int128)value.den * scale.den, ticks);
}

/* --- Seconds --- */

enum { EXACT_DECIMALS_MAX = 18, ROUNDED_DECIMALS = 9 };

struct seconds seconds_of(uint64_t timebase_hz)
{
    struct seconds seconds = {timebase_hz, 0, 1, 0};
    unsigned enough = EXACT_DECIMALS_MAX;
    uint64_t enough_unit = 1;
    while (seconds.unit % timebase_hz != 0 && seconds.decimals < EXACT_DECIMALS_MAX) {
        seconds.decimals++;
        seconds.unit *= 10;
        if (seconds.decimals >= ROUNDED_DECIMALS && seconds.decimals < enough &&
            seconds.unit >= timebase_hz) {
            enough = seconds.decimals;
            enough_unit = seconds.unit;
        }
    }
    if (seconds.unit % timebase_hz == 0)
        seconds.scale = seconds.unit / timebase_hz;
    else if (enough < EXACT_DECIMALS_MAX)
        seconds = (struct seconds){timebase_hz, enough, enough_unit, 0};
    return seconds;
}

char *seconds_put(char *at, const struct seconds *seconds, int64_t ticks)
{
    uint64_t size = ticks < 0 ? -(uint64_t)ticks : (uint64_t)ticks, hz = seconds->timebase_hz;
    uint64_t whole = size / hz, rest = size % hz;
    if (seconds->scale)
        rest *= seconds->scale;
    else
        rest = (uint64_t)(((uint128)rest * seconds->unit + hz / 2) / hz);
    if (rest == seconds->unit) {
        whole++;
        rest = 0;
    }
    if (ticks < 0)
        *at++ = '-';
    at = number_put_unsigned(at, whole);
    if (seconds->decimals == 0)
        return at;
    *at = '.';
    return number_put_last(at + 1, rest, seconds->decimals);
}
