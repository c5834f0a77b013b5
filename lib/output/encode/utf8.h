/* Reading bytes that may not be UTF-8. */
#ifndef OUTPUT_ENCODE_UTF8_H
#define OUTPUT_ENCODE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Length of the UTF-8 sequence at p, or 0 if the sequence is invalid. A valid sequence fits in
 * `size` bytes and ends before a zero byte. */
size_t utf8_length(const unsigned char *p, size_t size);

/* The code point of the sequence at p, which has this length, 1 to 4. */
uint32_t utf8_point(const unsigned char *p, size_t length);

/* True if a terminal might interpret the sequence at p as a command. This holds for control
 * characters (C0, DEL, C1), and for length 0, which stands for a byte that is not UTF-8. */
bool utf8_is_control(const unsigned char *p, size_t length);

#endif
