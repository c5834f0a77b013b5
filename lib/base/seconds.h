/* Writes ticks as decimal seconds, computed with integers only. */
#ifndef BASE_SECONDS_H
#define BASE_SECONDS_H

#include "base/number.h"

enum { SECONDS_TEXT_MAX = 48 };

/* The format of seconds for a timebase. The text is exact if 18 decimals suffice. Otherwise it is
 * rounded, halves away from zero, to at least nine decimals, enough to tell all ticks apart. */
struct seconds {
    uint64_t timebase_hz;
    unsigned decimals;
    uint64_t unit;  /* 10^decimals */
    uint64_t scale; /* a tick in units of the last decimal; 0: seconds are rounded */
};

struct seconds seconds_of(uint64_t timebase_hz);

/* Write ticks as seconds, without a NUL: at most SECONDS_TEXT_MAX characters. Returns the end. */
char *seconds_put(char *at, const struct seconds *seconds, int64_t ticks);

#endif
