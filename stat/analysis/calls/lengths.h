/*
 * Lengths: how many of each length there are, of many rows, to 1/32 of an octave.
 *
 * A length is an estimate and the least and greatest that it can be, each counted by itself: the
 * k-th least of the estimates, of the least and of the greatest is the range of the k-th least.
 */
#ifndef ANALYSIS_CALLS_LENGTHS_H
#define ANALYSIS_CALLS_LENGTHS_H

#include "analysis/ranges/moves.h"
#include "base/keys.h"
#include "base/number.h"
#include "instants/actors.h"

#include <cellsync/analysis.h>

enum { LENGTHS_SIDES = 3 }; /* of the estimate, of the least, of the greatest */

struct lengths_bin {
    uint64_t key; /* the row, and the bin */
    uint64_t n[LENGTHS_SIDES];
};

/* Lengths that are all 0 are empty. */
struct lengths {
    struct lengths_bin *bins; /* by the numbers of their keys, until they are sorted */
    size_t count, capacity;
    struct keys keys;
};

void lengths_fini(struct lengths *lengths);

/* Another one of a row; false on no memory. */
bool lengths_add(struct lengths *lengths, uint32_t row, const csy_range *length);

/* After the last. */
void lengths_sort(struct lengths *lengths);

/* The length that `percent` of the row's `count` lengths do not exceed. */
csy_range lengths_quantile(const struct lengths *lengths, uint32_t row, uint64_t count,
                           unsigned percent);

/* No less, or no more, than the k-th least of the least, or of the greatest, lengths of a row, of
 * which there are as many. */
int64_t lengths_bound(const struct lengths *lengths, uint32_t row, uint64_t k, bool upper);

/* Find how long a call took, with a range if its ends are on different clocks. added: the error of
 * its two timestamps. */
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
