/* See csv_time.h. */
#include "trace/csv/csv_time.h"
#include "base/ascii.h"

#include "base/dates.h"

#include <inttypes.h>
#include <string.h>

enum {
    EXPONENT_MAX = 400,
    STAMP_DECIMALS_MAX = 24,
    POWER_MAX = 19 /* 10^19 is the greatest power of ten below 2^64 */
};

/* A decimal number, digits * 10^exponent. The last digit of `digits` is not 0. */
struct decimal {
    bool negative;
    uint128 digits; /* a number of at most CSV_DIGITS_MAX digits */
    int exponent;
};

const char *csv_unit_word(enum csv_unit unit)
{
    static const char *const words[] = {
        [CSV_TICKS] = "ticks", [CSV_S] = "s",   [CSV_MS] = "ms",
        [CSV_US] = "us",       [CSV_NS] = "ns", [CSV_STAMPS] = NULL};
    return words[unit];
}

/* Returns n for a unit that is 10^-n seconds. The unit of dates is the second. */
static int unit_decimals(enum csv_unit unit)
{
    return unit == CSV_MS ? 3 : unit == CSV_US ? 6 : unit == CSV_NS ? 9 : 0;
}

static uint64_t power_of_ten(int exponent)
{
    uint64_t power = 1;
    for (int i = 0; i < exponent && i < POWER_MAX; i++)
        power *= 10;
    return power;
}

void csv_scale_init(struct csv_scale *scale, enum csv_unit unit, uint64_t timebase_hz, char mark)
{
    *scale = (struct csv_scale){.unit = unit, .timebase_hz = timebase_hz, .mark = mark};
    uint64_t hz = csv_unit_is_ticks(scale->unit) ? 1 : timebase_hz,
             power = power_of_ten(unit_decimals(unit));
    for (unsigned k = 0; k <= CSV_DECIMALS_MAX; k++) {
        uint64_t common = (uint64_t)common_divisor(hz, power);
        scale->factors[k] = (struct csv_factor){hz / common, power / common};
        if (power > UINT64_MAX / 10)
            break;
        power *= 10;
    }
}

static bool read_exponent(const char *at, const char *end, struct decimal *number)
{
    int value = 0;
    bool negative = at < end && *at == '-';
    at += at < end && (*at == '-' || *at == '+');
    if (at == end)
        return false;
    for (; at < end; at++) {
        if (!ascii_is_digit(*at))
            return false;
        value = value > EXPONENT_MAX ? value : value * 10 + (*at - '0');
    }
    number->exponent += negative ? -value : value;
    return true;
}

/* Divide *value by a prime, at most `most` times. Returns the number of divisions. */
static unsigned take_out(uint128 *value, unsigned prime, unsigned most)
{
    unsigned n = 0;
    for (; n < most && *value % prime == 0; n++)
        *value /= prime;
    return n;
}

static bool to_int64(bool negative, uint128 value, int64_t *out)
{
    if (value > (uint128)INT64_MAX + negative)
        return false;
    *out = negative ? (int64_t) - (uint64_t)value : (int64_t)value;
    return true;
}

/* Convert seconds to ticks. *least_hz: least timebase for a whole number, or 0 if above 64 bits. */
static enum csv_fault scale_decimal(const struct decimal *number, uint64_t hz, int64_t *ticks,
                                    uint64_t *least_hz)
{
    uint128 digits = number->digits, factor = hz;
    if (digits == 0) {
        *ticks = 0;
        return CSV_GOOD;
    }
    for (int i = 0; i < number->exponent; i++) {
        if (digits > (uint128)INT64_MAX + 1)
            return CSV_BEYOND;
        digits *= 10;
    }
    unsigned below = number->exponent < 0 ? (unsigned)-number->exponent : 0;
    unsigned twos = below - take_out(&digits, 2, below);
    unsigned fives = below - take_out(&digits, 5, below);
    uint128 least = 1;
    for (unsigned i = 0; i < twos && least <= UINT64_MAX; i++)
        least *= 2;
    for (unsigned i = 0; i < fives && least <= UINT64_MAX; i++)
        least *= 5;
    *least_hz = least <= UINT64_MAX ? (uint64_t)least : 0;
    twos -= take_out(&factor, 2, twos);
    fives -= take_out(&factor, 5, fives);
    if (twos || fives)
        return CSV_BROKEN;
    if (digits > (uint128)INT64_MAX + 1 || !to_int64(number->negative, digits * factor, ticks))
        return CSV_BEYOND;
    return CSV_GOOD;
}

/* Read a decimal number with mark and exponent. Zeros at both ends do not count as digits. */
static enum csv_fault parse_decimal(const struct csv_scale *scale, const char *text, size_t size,
                                    int64_t *ticks, uint64_t *least_hz)
{
    const char *at = text, *end = text + size;
    struct decimal number = {.negative = size > 0 && *text == '-'};
    unsigned ndigits = 0, zeros = 0; /* zeros: number of zeros since the last digit above 0 */
    int decimals = 0;
    bool any = false, marked = false, fits = true;
    for (at += size > 0 && (*text == '-' || *text == '+'); at < end; at++) {
        if (!marked && (*at == '.' || *at == scale->mark)) {
            marked = true;
            continue;
        }
        if (!ascii_is_digit(*at))
            break;
        any = true;
        decimals += marked && decimals < INT32_MAX;
        zeros += fits && *at == '0' && number.digits > 0;
        if (!fits || *at == '0')
            continue;
        ndigits += zeros + 1;
        fits = ndigits <= CSV_DIGITS_MAX;
        for (; fits && zeros > 0; zeros--)
            number.digits *= 10;
        if (fits)
            number.digits = number.digits * 10 + (unsigned)(*at - '0');
    }
    number.exponent = (int)zeros - decimals;
    if (!any || (at < end && *at != 'e' && *at != 'E') ||
        (at < end && !read_exponent(at + 1, end, &number)))
        return CSV_MALFORMED;
    if (!fits)
        return decimals > 0 ? CSV_LONG : CSV_BEYOND;
    number.exponent -= unit_decimals(scale->unit);
    return scale_decimal(&number, csv_unit_is_ticks(scale->unit) ? 1 : scale->timebase_hz, ticks,
                         least_hz);
}

/* Read a number of at most 18 digits fast. Returns false for texts that need parse_decimal. */
static bool parse_short(const struct csv_scale *scale, const char *text, size_t size,
                        int64_t *ticks)
{
    size_t i = size > 0 && *text == '-', marked = 0;
    bool negative = i > 0;
    uint64_t digits = 0;
    if (size == i || size - i > CSV_DECIMALS_MAX + 1)
        return false;
    for (; i < size; i++) {
        if (ascii_is_digit(text[i]))
            digits = digits * 10 + (unsigned)(text[i] - '0');
        else if (!marked && scale->unit != CSV_AUTO && (text[i] == '.' || text[i] == scale->mark))
            marked = i + 1;
        else
            return false;
    }
    size_t decimals = marked ? size - marked : 0;
    if (size - negative - (marked > 0) > CSV_DECIMALS_MAX || size - negative == (marked > 0))
        return false;
    const struct csv_factor *factor = &scale->factors[decimals];
    if (factor->den == 0 || digits % factor->den != 0)
        return false;
    return to_int64(negative, (uint128)(digits / factor->den) * factor->num, ticks);
}

static bool take_digits(const char **at, const char *end, size_t n, int64_t *out)
{
    *out = 0;
    if ((size_t)(end - *at) < n)
        return false;
    for (; n > 0; n--, ++*at) {
        if (!ascii_is_digit(**at))
            return false;
        *out = *out * 10 + (**at - '0');
    }
    return true;
}

static bool take_char(const char **at, const char *end, const char *which)
{
    if (*at == end || !**at || !strchr(which, **at))
        return false;
    ++*at;
    return true;
}

static bool take_date(const char **at, const char *end, int64_t *days)
{
    static const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int64_t year, month, day;
    if (!take_digits(at, end, 4, &year) || !take_char(at, end, "-") ||
        !take_digits(at, end, 2, &month) || !take_char(at, end, "-") ||
        !take_digits(at, end, 2, &day) || month < 1 || month > 12)
        return false;
    bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    *days = date_days(year, month, day);
    return day >= 1 && day <= lengths[month - 1] + (month == 2 && leap);
}

/* Read a time zone, Z or +hh:mm, up to the end of the text. Without a zone, *seconds is 0. */
static bool take_zone(const char *at, const char *end, int64_t *seconds)
{
    int64_t hours, minutes = 0;
    *seconds = 0;
    if (at == end)
        return true;
    if (take_char(&at, end, "Zz"))
        return at == end;
    bool west = *at == '-';
    if (!take_char(&at, end, "+-") || !take_digits(&at, end, 2, &hours))
        return false;
    take_char(&at, end, ":");
    if (at < end && !take_digits(&at, end, 2, &minutes))
        return false;
    *seconds = (hours * 60 + minutes) * (west ? -60 : 60);
    return at == end && hours < 24 && minutes < 60;
}

bool csv_time_is_stamp(const char *text, size_t size)
{
    int64_t days;
    return take_date(&text, text + size, &days);
}

/* Read a date and time. As in POSIX, a leap second is the first second of the next minute. */
static enum csv_fault parse_stamp(const struct csv_scale *scale, const char *text, size_t size,
                                  int64_t *ticks, uint64_t *least_hz)
{
    const char *at = text, *end = text + size, *fraction, *stop;
    int64_t days, hour, minute, second, zone;
    if (!take_date(&at, end, &days) || !take_char(&at, end, "Tt ") ||
        !take_digits(&at, end, 2, &hour) || !take_char(&at, end, ":") ||
        !take_digits(&at, end, 2, &minute) || !take_char(&at, end, ":") ||
        !take_digits(&at, end, 2, &second) || hour > 23 || minute > 59 || second > 60)
        return CSV_MALFORMED;
    bool marked = take_char(&at, end, ".,");
    for (fraction = at; marked && at < end && ascii_is_digit(*at);)
        at++;
    for (stop = at; stop > fraction && stop[-1] == '0';)
        stop--;
    if ((marked && at == fraction) || !take_zone(at, end, &zone))
        return CSV_MALFORMED;
    if (stop - fraction > STAMP_DECIMALS_MAX)
        return CSV_LONG;
    int128 total =
        (int128)days * DATE_DAY_SECONDS + ((int128)hour * 60 + minute) * 60 + second - zone;
    for (const char *digit = fraction; digit < stop; digit++)
        total = total * 10 + (*digit - '0');
    struct decimal number = {total < 0, (uint128)(total < 0 ? -total : total),
                             -(int)(stop - fraction)};
    return scale_decimal(&number, scale->timebase_hz, ticks, least_hz);
}

enum csv_fault csv_time_parse(const struct csv_scale *scale, const char *text, size_t size,
                              int64_t *ticks, uint64_t *least_hz)
{
    csy_text trimmed = ascii_trim_bytes(text, size);
    text = trimmed.bytes;
    size = trimmed.size;
    if (scale->unit == CSV_STAMPS)
        return parse_stamp(scale, text, size, ticks, least_hz);
    if (parse_short(scale, text, size, ticks))
        return CSV_GOOD;
    enum csv_fault fault = parse_decimal(scale, text, size, ticks, least_hz);
    for (size_t i = 0; i < size && scale->unit == CSV_AUTO && fault != CSV_MALFORMED; i++)
        if (text[i] == scale->mark || (text[i] && strchr(".eE", text[i])))
            return CSV_UNITLESS;
    return fault;
}

bool csv_time_decimals(const struct csv_scale *scale, unsigned *decimals)
{
    uint64_t units = power_of_ten(unit_decimals(scale->unit));
    for (*decimals = 0; *decimals < POWER_MAX; ++*decimals)
        if (csv_unit_is_ticks(scale->unit) ||
            power_of_ten((int)*decimals) * units == scale->timebase_hz)
            return scale->unit != CSV_STAMPS;
    return false;
}

uint64_t csv_time_steps(const struct csv_scale *scale, const char *text, size_t size)
{
    int decimals = 0, units = unit_decimals(scale->unit);
    if (csv_unit_is_ticks(scale->unit))
        return 0;
    const char *at = text, *end = text + size;
    while (at < end && *at != '.' && *at != ',' && *at != 'e' && *at != 'E')
        at++;
    if (at < end && (*at == '.' || *at == ','))
        for (at++; at < end && ascii_is_digit(*at) && decimals < EXPONENT_MAX; at++)
            decimals++;
    struct decimal written = {0};
    if (at < end && (*at == 'e' || *at == 'E') && read_exponent(at + 1, end, &written))
        decimals -= written.exponent;
    return power_of_ten(decimals < 0 ? units : decimals + units);
}

const char *csv_time_fault(const struct csv_scale *scale, enum csv_fault fault, const char *text,
                           size_t length, uint64_t least_hz, char *buffer, size_t size)
{
    if (fault == CSV_BEYOND)
        snprintf(buffer, size, "the value does not fit 64 bits%s",
                 csv_unit_is_ticks(scale->unit) ? "" : " in ticks");
    else if (fault == CSV_LONG)
        snprintf(buffer, size, "the number has more than %d digits", CSV_DIGITS_MAX);
    else if (fault == CSV_UNITLESS) {
        /* Suggest the longest unit for which the number is below 2^63 ns. */
        enum csv_unit likely = CSV_S;
        for (; likely < CSV_NS; likely++) {
            struct csv_scale ns;
            int64_t ticks;
            csv_scale_init(&ns, likely, power_of_ten(9), scale->mark);
            if (csv_time_parse(&ns, text, length, &ticks, &least_hz) != CSV_BEYOND)
                break;
        }
        const char *unit = csv_unit_word(likely);
        bool seconds = strcmp(unit, "s") == 0;
        snprintf(buffer, size,
                 "ticks are whole numbers; for a time in %s, name the column time_%s%s, or pass "
                 "--time-unit=%s%s",
                 seconds ? "seconds" : unit, unit, seconds ? " (also _ms, _us, _ns)" : "", unit,
                 seconds ? " (also ms, us, ns)" : "");
    } else if (fault == CSV_BROKEN && scale->unit == CSV_TICKS)
        snprintf(buffer, size, "not a whole number of ticks");
    else if (fault == CSV_BROKEN && least_hz == 0)
        snprintf(buffer, size, "not a whole number of ticks at any timebase below 2^64 Hz");
    else if (fault == CSV_BROKEN)
        snprintf(buffer, size,
                 "not a whole number of ticks at %" PRIu64
                 " Hz; the smallest timebase that fits is # timebase_hz=%" PRIu64,
                 scale->timebase_hz, least_hz);
    else if (scale->unit == CSV_STAMPS)
        snprintf(buffer, size,
                 "expected a time as in RFC 3339 in every row, such as 2024-05-01T12:00:00.25Z");
    else if (csv_unit_is_ticks(scale->unit))
        snprintf(buffer, size, "expected a whole number of ticks");
    else
        snprintf(buffer, size, "expected a decimal number of %s", csv_unit_word(scale->unit));
    return buffer;
}

const char *csv_time_remedy(const struct csv_scale *scale, const char *text, size_t size)
{
    const char *at = text, *end = text + size;
    while (at < end && ascii_is_blank(*at))
        at++;
    if (at == end)
        return "; remove rows without a time";
    /* Recognize dates and times of day in many forms, such as 10:20:30 or 20240304T183002Z. */
    bool dated = memchr(at, ':', (size_t)(end - at)) || memchr(at, '/', (size_t)(end - at));
    for (const char *p = at + 1; p < end && !dated; p++)
        dated = ascii_is_digit(p[-1]) && *p && strchr("Tt-", *p);
    if (dated && scale->unit == CSV_AUTO)
        return "; for dates, write all times as in RFC 3339: 2024-05-01T12:00:00.25Z";
    if (dated && scale->unit != CSV_STAMPS)
        return "; for dates, name the column time, omit --time-unit, and write all times as in RFC "
               "3339: 2024-05-01T12:00:00.25Z";
    take_char(&at, end, "-+");
    return take_char(&at, end, "0") && take_char(&at, end, "xX")
               ? "; to convert hexadecimal numbers: perl -pe 's/0x[0-9a-f]+/hex $&/gei'"
               : "";
}
