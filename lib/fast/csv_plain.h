/* Parses plain rows of a CSV, many at a time: finds the ends of fields, and reads numbers.
 *
 * A plain row has no quotes, and as many fields as the header. Fields are read eight bytes at a
 * time, and beyond their ends, so CSV_PLAIN_SLACK bytes after the last row must be readable. */
#ifndef FAST_CSV_PLAIN_H
#define FAST_CSV_PLAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
    CSV_PLAIN_BLOCK_BYTES = 64,
    CSV_PLAIN_WINDOW_BYTES = 8192,
    CSV_PLAIN_SLACK = 32,
    CSV_PLAIN_DIGITS_MAX = 19
};

/* Offsets of separators, newlines, and quotes: at[1] to at[n]. The bytes begin at at[0] + 1. */
struct csv_plain_index {
    size_t n;
    uint32_t at[1 + CSV_PLAIN_WINDOW_BYTES + 8];
};

/* Find separators, newlines, and quotes in `size` bytes: a multiple of CSV_PLAIN_BLOCK_BYTES, at
 * most CSV_PLAIN_WINDOW_BYTES. */
void csv_plain_index(struct csv_plain_index *out, const uint8_t *p, size_t size, uint8_t separator);

/* Load 8 bytes in little-endian order: the first byte becomes the lowest one. */
static inline uint64_t csv_plain_load(const uint8_t *p)
{
    return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24 |
           (uint64_t)p[4] << 32 | (uint64_t)p[5] << 40 | (uint64_t)p[6] << 48 |
           (uint64_t)p[7] << 56;
}

/* csv_plain_masks[n + 8] masks the first n of 8 bytes: none if n < 0, all if n > 8. */
extern const uint64_t csv_plain_masks[25];

/* Load the first n <= 16 bytes at p into *head and *tail. The other bytes become 0. */
static inline void csv_plain_first(const uint8_t *p, size_t n, uint64_t *head, uint64_t *tail)
{
    *head = csv_plain_load(p) & csv_plain_masks[n + 8];
    *tail = csv_plain_load(p + 8) & csv_plain_masks[n];
}

/* Returns the value of 8 decimal digits in 8 bytes. The lowest byte has the first digit. */
static inline uint64_t csv_plain_eight(uint64_t digits)
{
    const uint64_t pairs = 0x000000ff000000ff;
    digits = digits * 10 + (digits >> 8);
    return ((digits & pairs) * (100 + ((uint64_t)1000000 << 32)) +
            (digits >> 16 & pairs) * (1 + ((uint64_t)10000 << 32))) >>
           32;
}

/* Returns a mask with the high bit of each byte that is not a digit from 0 to 9. */
static inline uint64_t csv_plain_others(uint64_t digits)
{
    return ((digits + 0x7676767676767676) | digits) & 0x8080808080808080;
}

/* Read a number of 1 to CSV_PLAIN_DIGITS_MAX digits. Returns false for other text. */
static inline bool csv_plain_number(const uint8_t *p, size_t size, int64_t *out)
{
    static const uint64_t powers[] = {1,      10,      100,      1000,     10000,
                                      100000, 1000000, 10000000, 100000000};
    const uint64_t zeros = 0x3030303030303030;
    uint64_t value = 0, other = 0, digits;
    if (size - 1 >= CSV_PLAIN_DIGITS_MAX)
        return false;
    for (; size > 8; size -= 8, p += 8) {
        digits = csv_plain_load(p) ^ zeros;
        other |= csv_plain_others(digits);
        value = value * 100000000 + csv_plain_eight(digits);
    }
    digits = (csv_plain_load(p) ^ zeros) << (64 - 8 * size);
    other |= csv_plain_others(digits);
    value = value * powers[size] + csv_plain_eight(digits);
    *out = (int64_t)value;
    return other == 0 && value <= INT64_MAX;
}

#endif
