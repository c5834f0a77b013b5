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

/* True if a terminal might interpret the sequence of this length at p as a command. This is the
 * case for control characters (C0, DEL, C1). It is also the case for length 0, which means a byte
 * that is not UTF-8. */
bool utf8_is_control(const unsigned char *p, size_t length);

#endif
