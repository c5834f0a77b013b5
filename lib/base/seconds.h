/* Writes ticks as decimal seconds, computed with integers only. */
#ifndef BASE_SECONDS_H
#define BASE_SECONDS_H

#include "base/number.h"

enum { SECONDS_TEXT_MAX = 48 };

/* How to write ticks as seconds: exactly if 18 decimals suffice, otherwise rounded to at least nine
 * decimals, halves away from zero; different ticks still have different texts. */
struct seconds {
    uint64_t timebase_hz;
    unsigned decimals;
    uint64_t unit;  /* 10^decimals: number of units of the last decimal in a second */
    uint64_t scale; /* units of the last decimal in a tick, or 0 if not an integer */
};

struct seconds seconds_of(uint64_t timebase_hz);

/* Write ticks as seconds, without a NUL: at most SECONDS_TEXT_MAX bytes. Returns the end. */
char *seconds_put(char *at, const struct seconds *seconds, int64_t ticks);

#endif
