/* Real numbers as text, independent of the locale. */
#ifndef BASE_REAL_H
#define BASE_REAL_H

#include <stdbool.h>
#include <stdint.h>

enum { REAL_TEXT_MAX = 40 };

/* Write the IEEE 754 number with these bits at `at`, without a NUL, and return its end. There must
 * be room for REAL_TEXT_MAX characters, all of which may be overwritten. The text has as few digits
 * as identify the number, or is "inf", "-inf", or "nan". Uses integers; it takes 0.1 to 1 us for
 * common numbers, and 13 us for the least one. */
char *real_put(char *at, uint64_t bits);

/* True if the number is finite. */
bool real_is_finite(uint64_t bits);

#endif
