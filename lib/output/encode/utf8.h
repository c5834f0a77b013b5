/* Reading bytes that may not be UTF-8. */
#ifndef OUTPUT_ENCODE_UTF8_H
#define OUTPUT_ENCODE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns the length of the UTF-8 sequence at p, or 0 if the sequence is invalid. A valid sequence
 * fits in `size` bytes and ends before a zero byte. */
size_t utf8_length(const unsigned char *p, size_t size);

/* Returns the code point of the valid sequence at p, which has 1 to 4 bytes. */
uint32_t utf8_point(const unsigned char *p, size_t length);

/* Returns true if a terminal might interpret the sequence at p as a command. Such sequences are the
 * control characters C0, DEL, and C1, and any byte that is not UTF-8 (length 0). */
bool utf8_is_control(const unsigned char *p, size_t length);

#endif
