/* See seconds.h. */
#include "base/seconds.h"

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
