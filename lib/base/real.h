/* Real numbers as text, whatever the locale. */
#ifndef BASE_REAL_H
#define BASE_REAL_H

#include <stdbool.h>
#include <stdint.h>

enum { REAL_TEXT_MAX = 40 };

/* Write the number of IEEE 754 that has these bits at `at`, without a NUL, and return its end;
 * there is room for REAL_TEXT_MAX characters, which may all be overwritten.  It has as few digits
 * as read back the same; or is "inf", "-inf", or "nan" for all of these.  In integers, which takes
 * 0.1 to 1 us for numbers of daily life, and 13 us for the least one. */
char *real_put(char *at, uint64_t bits);

/* Whether they are neither infinite nor no number. */
bool real_is_finite(uint64_t bits);

#endif
