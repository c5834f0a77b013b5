/* Ticks as decimal seconds, in whole numbers throughout. */
#ifndef BASE_SECONDS_H
#define BASE_SECONDS_H

#include "base/number.h"

enum { SECONDS_TEXT_MAX = 48 };

/* How seconds of a timebase are written: exactly, where that takes at most 18 decimals; else
 * rounded, halves away from zero, to at least nine, with which each tick has a text of its own. */
struct seconds {
    uint64_t timebase_hz;
    unsigned decimals;
    uint64_t unit;  /* 10^decimals */
    uint64_t scale; /* of the last decimal in a tick; 0: they are rounded */
};

struct seconds seconds_of(uint64_t timebase_hz);

/* Write ticks at `at`, without a NUL: at most SECONDS_TEXT_MAX characters.  Returns their end. */
char *seconds_put(char *at, const struct seconds *seconds, int64_t ticks);

#endif
