/* Bytes that may or may not be UTF-8. */
#ifndef OUTPUT_ENCODE_UTF8_H
#define OUTPUT_ENCODE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Length of the UTF-8 sequence at p, within `size` bytes and up to a zero byte, or 0 if it is
 * invalid. */
size_t utf8_length(const unsigned char *p, size_t size);

/* The code point of the sequence with this length, 1 to 4. */
uint32_t utf8_point(const unsigned char *p, size_t length);

/* True if a terminal might obey the sequence of this length at p: a control character (C0, DEL,
 * C1), or with length 0 a byte that is not UTF-8. */
bool utf8_is_control(const unsigned char *p, size_t length);

#endif
