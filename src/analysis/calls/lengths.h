/*
 * Lengths: how many of each length there are, of many rows, to 1/32 of an octave.
 *
 * A length is an estimate and the least and greatest that it can be, each counted by itself: the
 * k-th least of the estimates, of the least and of the greatest is the range of the k-th least.
 */
#ifndef ANALYSIS_CALLS_LENGTHS_H
#define ANALYSIS_CALLS_LENGTHS_H

#include "analysis/ranges/moves.h"
#include "base/number.h"
#include "instants/actors.h"

#include <cellsync/analysis.h>

enum { LENGTHS_SIDES = 3 }; /* of the estimate, of the least, of the greatest */

struct lengths_bin {
    uint64_t key; /* 1 more than the row, and the bin; 0: free */
    uint64_t n[LENGTHS_SIDES];
};

struct lengths {
    struct lengths_bin *bins; /* by hashes, a power of 2 of them; then sorted */
    size_t count, capacity;
};

csy_status lengths_init(struct lengths *lengths, csy_error *error);
void lengths_fini(struct lengths *lengths);

/* Another one of a row; false on no memory. */
bool lengths_add(struct lengths *lengths, uint32_t row, const csy_range *length);

/* --- The same of one that is known: --------------------------------------------------------- */

enum { LENGTHS_FINE_BITS = 5, LENGTHS_ROW_SHIFT = 12 };

/* Lengths below 64 have bins of their own, as have 1/32 of each octave above; all below 0 are 0.
 * Which it is cannot be foretold: nothing branches on it. */
static inline unsigned lengths_bin_of(int64_t length)
{
    uint64_t number = length < 0 ? 0 : (uint64_t)length;
    unsigned octave = 63 - LENGTHS_FINE_BITS -
                      (unsigned)__builtin_clzll(number | (uint64_t)1 << LENGTHS_FINE_BITS);
    return (octave << LENGTHS_FINE_BITS) + (unsigned)(number >> octave);
}

static inline uint64_t lengths_key(uint32_t row, int64_t length)
{
    return ((uint64_t)row + 1) << LENGTHS_ROW_SHIFT | lengths_bin_of(length);
}

/* The bin of a key, or a free one for it. */
static inline struct lengths_bin *lengths_find_bin(const struct lengths *lengths, uint64_t key)
{
    size_t mask = lengths->capacity - 1;
    size_t at = (size_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & mask;
    while (lengths->bins[at].key != key && lengths->bins[at].key != 0)
        at = (at + 1) & mask;
    return &lengths->bins[at];
}

bool lengths_count_first(struct lengths *lengths, uint32_t row, int64_t length);

static inline bool lengths_count(struct lengths *lengths, uint32_t row, int64_t length)
{
    uint64_t key = lengths_key(row, length);
    struct lengths_bin *bin = lengths_find_bin(lengths, key);
    if (__builtin_expect(bin->key != key, 0))
        return lengths_count_first(lengths, row, length);
    for (int side = 0; side < LENGTHS_SIDES; side++)
        bin->n[side]++;
    return true;
}

/* -------------------------------------------------------------------------------------------- */

/* After the last. */
void lengths_sort(struct lengths *lengths);

/* The length that so many per cent of the row's do not exceed; count of them there are. */
csy_range lengths_quantile(const struct lengths *lengths, uint32_t row, uint64_t count,
                           unsigned percent);

/* No less, or no more, than the k-th least of the least, or of the greatest, lengths of a row, of
 * which there are as many. */
int64_t lengths_bound(const struct lengths *lengths, uint32_t row, uint64_t k, bool upper);

/* How long a call took, with what the clocks of its ends leave open; added: of their stamps. */
csy_status lengths_apart(const struct moves *moves, const struct moment *begin,
                         const struct moment *now, int64_t added, csy_range *out, csy_error *error);

static inline csy_status lengths_find(const struct moves *moves, const struct moment *begin,
                                      const struct moment *now, int64_t added, csy_range *out,
                                      csy_error *error)
{
    if (begin->clock != now->clock)
        return lengths_apart(moves, begin, now, added, out, error);
    out->estimate = now->local_ticks - begin->local_ticks;
    out->lo = out->hi = out->estimate;
    out->kind = CSY_RANGE_CLOCK;
    return CSY_OK;
}

#endif
