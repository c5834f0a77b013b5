/* Bytes that may or may not be UTF-8. */
#ifndef OUTPUT_ENCODE_UTF8_H
#define OUTPUT_ENCODE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Length of the UTF-8 sequence at p, of which there are `size` bytes or which a zero byte ends, or
 * 0 where it is none. */
size_t utf8_length(const unsigned char *p, size_t size);

/* The code point of the sequence of that length, 1 to 4. */
uint32_t utf8_point(const unsigned char *p, size_t length);

/* Whether a terminal might obey the sequence of that length at p: a control character (C0, DEL,
 * C1), or with length 0 a byte that is not UTF-8. */
bool utf8_is_control(const unsigned char *p, size_t length);

#endif
