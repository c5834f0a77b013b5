/* Writes real numbers as text that does not depend on the locale. */
#ifndef BASE_REAL_H
#define BASE_REAL_H

#include <stdbool.h>
#include <stdint.h>

enum { REAL_TEXT_MAX = 40 };

/* Write the IEEE 754 double with these bits, without a NUL: up to REAL_TEXT_MAX characters. Returns
 * the end. The text has as few digits as identify the number, or is "inf", "-inf", or "nan". Uses
 * integers only; takes 0.1 to 1 us for common numbers, and at most 13 us. */
char *real_put(char *at, uint64_t bits);

bool real_is_finite(uint64_t bits);

#endif
