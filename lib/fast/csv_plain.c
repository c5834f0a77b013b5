/* See csv_plain.h. */
#include "fast/csv_plain.h"

#define FIRST(n) (((uint64_t)1 << 8 * (n)) - 1)
#define ALL UINT64_MAX

const uint64_t csv_plain_masks[25] = {
    0,        0,        0,        0,        0,        0,        0,        0,   0,
    FIRST(1), FIRST(2), FIRST(3), FIRST(4), FIRST(5), FIRST(6), FIRST(7), ALL, ALL,
    ALL,      ALL,      ALL,      ALL,      ALL,      ALL,      ALL};

#ifdef __SSE2__
#include <emmintrin.h>

static inline uint64_t ends_of_16(const uint8_t *p, uint8_t separator)
{
    __m128i bytes = _mm_loadu_si128((const void *)p);
    __m128i separators = _mm_cmpeq_epi8(bytes, _mm_set1_epi8((char)separator));
    __m128i newlines = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\n'));
    __m128i quotes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'));
    __m128i ends = _mm_or_si128(_mm_or_si128(separators, newlines), quotes);
    return (uint64_t)(unsigned)_mm_movemask_epi8(ends);
}

/* Returns a mask of the separators, newlines, and quotes in a block of 64 bytes. */
static inline uint64_t ends_of_block(const uint8_t *p, uint8_t separator)
{
    return ends_of_16(p, separator) | ends_of_16(p + 16, separator) << 16 |
           ends_of_16(p + 32, separator) << 32 | ends_of_16(p + 48, separator) << 48;
}
#else
/* Returns a word in which the high bit of each byte is set if this byte is not 0 in `bytes`. */
static inline uint64_t others(uint64_t bytes)
{
    const uint64_t low = 0x7f7f7f7f7f7f7f7f;
    return ((bytes & low) + low) | bytes;
}

static inline uint64_t ends_of_block(const uint8_t *p, uint8_t separator)
{
    const uint64_t ones = 0x0101010101010101;
    uint64_t ends = 0;
    for (size_t i = 0; i < CSV_PLAIN_BLOCK_BYTES; i += 8) {
        uint64_t bytes = csv_plain_load(p + i);
        uint64_t found = ~(others(bytes ^ ones * separator) & others(bytes ^ ones * '\n') &
                           others(bytes ^ ones * '"'));
        /* the multiplication moves the eight bits to the highest byte */
        ends |= ((found >> 7 & ones) * 0x0102040810204080 >> 56) << i;
    }
    return ends;
}
#endif

void csv_plain_index(struct csv_plain_index *out, const uint8_t *p, size_t size, uint8_t separator)
{
    uint32_t *at = out->at;
    *at++ = UINT32_MAX;
    for (size_t i = 0; i < size; i += CSV_PLAIN_BLOCK_BYTES) {
        uint64_t ends = ends_of_block(p + i, separator);
        uint64_t bits = ends; /* the next lines count the set bits without a special instruction */
        bits -= bits >> 1 & 0x5555555555555555;
        bits = (bits & 0x3333333333333333) + (bits >> 2 & 0x3333333333333333);
        uint32_t *next =
            at + (((bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0f) * 0x0101010101010101 >> 56);
        /* storing groups of four is faster than storing only the needed positions */
        for (; at < next; at += 4)
            for (size_t k = 0; k < 4; k++, ends &= ends - 1)
                at[k] = (uint32_t)i + (uint32_t)__builtin_ctzll(ends | (uint64_t)1 << 63);
        at = next;
    }
    out->n = (size_t)(at - out->at) - 1;
}
