/* Computes where the numbers of an axis are drawn. */
#include "output/encode/scale.h"

#include "base/array.h"

#include <inttypes.h>

/* If the widest bound is this many times a typical one, a linear scale would hide most bounds. */
enum { LOGARITHMIC_FROM = 24, LOG_BITS = 12 };

struct scale scale_make(int64_t most, int64_t usual)
{
    return (struct scale){most, most / LOGARITHMIC_FROM > (usual > 1 ? usual : 1)};
}

/* Returns log2(value) in units of 2^-LOG_BITS, rounded down: squaring shows the next bit. */
static int64_t log2_fixed(uint64_t value)
{
    int whole = 63 - __builtin_clzll(value);
    uint64_t mantissa = value << (63 - whole);
    int64_t log = whole;
    for (int i = 0; i < LOG_BITS; i++) {
        uint128 square = (uint128)mantissa * mantissa;
        bool carry = square >> 127;
        mantissa = (uint64_t)(square >> (carry ? 64 : 63));
        log = log << 1 | carry;
    }
    return log;
}

int scale_place(const struct scale *scale, int64_t ticks, int room)
{
    if (scale->most == 0)
        return 0;
    if (!scale->logarithmic)
        return (int)((int128)ticks * room / scale->most);
    return (int)(log2_fixed((uint64_t)ticks + 1) * room / log2_fixed((uint64_t)scale->most + 1));
}

int scale_step(const struct scale *scale, int64_t ticks, int steps)
{
    int step = scale_place(scale, ticks, steps);
    return step < steps ? step : steps - 1;
}

int64_t scale_step_begin(const struct scale *scale, int step, int steps)
{
    int64_t low = 0, high = scale->most + 1;
    BISECT(low, high, middle, scale_step(scale, middle, steps) < step);
    return low;
}

int128 scale_nice(int128 value)
{
    int128 power = 1;
    while (power * 10 < value)
        power *= 10;
    return value <= power       ? power
           : value <= 2 * power ? 2 * power
           : value <= 5 * power ? 5 * power
                                : 10 * power;
}

const char *moment_text(int128 ns, int128 step_ns, int128 end_ns, char text[MOMENT_TEXT_MAX])
{
    static const struct {
        const char *name;
        int64_t ns;
    } units[] = {{"s", 1000000000}, {"ms", 1000000}, {"µs", 1000}, {"ns", 1}};
    if (ns == 0)
        return "0";
    size_t i = 0;
    while (units[i].ns > 1 && end_ns < units[i].ns)
        i++;
    const int64_t unit_ns = units[i].ns;
    int digits = 0;
    int128 power = 1;
    for (; step_ns * power % unit_ns != 0; digits++)
        power *= 10;
    uint64_t whole = (uint64_t)(ns / unit_ns), part = (uint64_t)(ns % unit_ns * power / unit_ns);
    if (digits > 0)
        snprintf(text, MOMENT_TEXT_MAX, "%" PRIu64 ".%0*" PRIu64 " %s", whole, digits, part,
                 units[i].name);
    else
        snprintf(text, MOMENT_TEXT_MAX, "%" PRIu64 " %s", whole, units[i].name);
    return text;
}
