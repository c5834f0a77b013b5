/* Counts the lengths of calls in histograms. */
#include "analysis/calls/lengths.h"

#include "base/array.h"
#include "base/sort.h"

#include <stdlib.h>

enum { FINE_BITS = 5, FINE = 1 << FINE_BITS, ROW_SHIFT = 12 };

/* Each length below 64 has its own bin. Above 64, a bin is 1/32 of an octave. Negative lengths
 * count as 0. The code has no branches, because the processor could not predict them. */
static inline unsigned bin_of(int64_t length)
{
    uint64_t number = length < 0 ? 0 : (uint64_t)length;
    unsigned octave = 63 - FINE_BITS - (unsigned)__builtin_clzll(number | (uint64_t)1 << FINE_BITS);
    return (octave << FINE_BITS) + (unsigned)(number >> octave);
}

void lengths_fini(struct lengths *lengths)
{
    free(lengths->bins);
    keys_fini(&lengths->keys);
    *lengths = (struct lengths){0};
}

static int64_t bin_least(unsigned bin)
{
    if (bin < FINE)
        return bin;
    unsigned power = bin / FINE + FINE_BITS - 1;
    return power > 62 ? INT64_MAX : (int64_t)(FINE + bin % FINE) << (power - FINE_BITS);
}

static inline bool count_in(struct lengths *lengths, uint32_t row, int64_t length, unsigned sides)
{
    uint64_t key = (uint64_t)row << ROW_SHIFT | bin_of(length);
    uint32_t index;
    bool added;
    if (!keys_find(&lengths->keys, key, &index, &added) ||
        !ARRAY_RESERVE(lengths->bins, lengths->capacity, lengths->keys.count))
        return false;
    if (added)
        lengths->bins[lengths->count++] = (struct lengths_bin){.key = key};
    struct lengths_bin *bin = &lengths->bins[index];
    bin->n[0] += sides & 1;
    bin->n[1] += sides >> 1 & 1;
    bin->n[2] += sides >> 2;
    return true;
}

bool lengths_add(struct lengths *lengths, uint32_t row, const csy_range *length)
{
    if (length->lo == length->estimate && length->hi == length->estimate)
        return count_in(lengths, row, length->estimate, 7);
    return count_in(lengths, row, length->estimate, 1) && count_in(lengths, row, length->lo, 2) &&
           count_in(lengths, row, length->hi, 4);
}

static int compare(const void *a, const void *b)
{
    const struct lengths_bin *x = a, *y = b;
    return ORDER(x->key, y->key);
}

void lengths_sort(struct lengths *lengths)
{
    SORT(lengths->bins, lengths->count, compare);
}

/* Find the bin of the k-th smallest length; the smallest length has k = 1. */
static unsigned bin_at(const struct lengths *lengths, uint32_t row, unsigned side, uint64_t k)
{
    uint64_t first = (uint64_t)row << ROW_SHIFT, passed = 0;
    size_t low = 0, high = lengths->count;
    BISECT(low, high, middle, lengths->bins[middle].key < first);
    for (; low < lengths->count; low++) {
        passed += lengths->bins[low].n[side];
        if (passed >= k)
            break;
    }
    return (unsigned)(lengths->bins[low].key & ((1u << ROW_SHIFT) - 1));
}

csy_range lengths_quantile(const struct lengths *lengths, uint32_t row, uint64_t count,
                           unsigned percent)
{
    uint64_t k = (uint64_t)(((uint128)count * percent + 99) / 100);
    unsigned estimate = bin_at(lengths, row, 0, k);
    csy_range out = {.kind = CSY_RANGE_PROVEN};
    out.lo = bin_least(bin_at(lengths, row, 1, k));
    out.hi = bin_least(bin_at(lengths, row, 2, k) + 1) - 1;
    out.estimate = bin_least(estimate) + (bin_least(estimate + 1) - 1 - bin_least(estimate)) / 2;
    if (out.lo == out.hi)
        out.kind = CSY_RANGE_CLOCK;
    return out;
}

int64_t lengths_bound(const struct lengths *lengths, uint32_t row, uint64_t k, bool upper)
{
    return upper ? bin_least(bin_at(lengths, row, 2, k) + 1) - 1
                 : bin_least(bin_at(lengths, row, 1, k));
}

csy_status lengths_apart(const struct moves *moves, const struct moment *begin,
                         const struct moment *now, int64_t added, csy_range *out, csy_error *error)
{
    int64_t there, back;
    out->estimate = now->global_ticks - begin->global_ticks;
    out->lo = out->hi = out->estimate;
    out->kind = CSY_RANGE_UNKNOWN;
    if (!moves->known)
        return CSY_OK;
    csy_status status = moves_apart(moves, begin, now, &back, &there, error);
    out->kind = moves->star ? CSY_RANGE_STAR : added > 0 ? CSY_RANGE_PROVEN : CSY_RANGE_EXACT;
    if (there == MOVES_NONE || __builtin_add_overflow(out->estimate, there, &out->hi) ||
        __builtin_add_overflow(out->hi, added, &out->hi))
        out->hi = INT64_MAX;
    if (back == MOVES_NONE || __builtin_sub_overflow(out->estimate, back, &out->lo) ||
        __builtin_sub_overflow(out->lo, added, &out->lo))
        out->lo = INT64_MIN;
    return status;
}
