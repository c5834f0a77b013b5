/* Lengths: histograms of the durations of calls, one for each row. A bin is 1/32 of an octave wide.
 *
 * Each length consists of an estimate, a least value, and a greatest value. Each of the three is
 * counted in its own histogram. The range of the k-th smallest length is then from the k-th
 * smallest least value to the k-th smallest greatest value. */
#ifndef ANALYSIS_CALLS_LENGTHS_H
#define ANALYSIS_CALLS_LENGTHS_H

#include "analysis/ranges/moves.h"
#include "base/keys.h"
#include "base/number.h"
#include "instants/actors.h"

#include <cellsync/analysis.h>

/* the histograms of the estimates, of the least values, and of the greatest values */
enum { LENGTHS_SIDES = 3 };

struct lengths_bin {
    uint64_t key; /* the row and the bin, in one number */
    uint64_t n[LENGTHS_SIDES];
};

/* The histograms of all rows. A struct of zeros is valid and empty. */
struct lengths {
    /* in the order of the numbers of their keys, until lengths_sort sorts them */
    struct lengths_bin *bins;
    size_t count, capacity;
    struct keys keys;
};

void lengths_fini(struct lengths *lengths);

/* Add a length to a row. Returns false if memory runs out. */
bool lengths_add(struct lengths *lengths, uint32_t row, const csy_range *length);

/* Sort the bins. Call it after the last lengths_add. */
void lengths_sort(struct lengths *lengths);

/* The length that is not exceeded by `percent` of the `count` lengths of the row. */
csy_range lengths_quantile(const struct lengths *lengths, uint32_t row, uint64_t count,
                           unsigned percent);

/* A bound for the k-th smallest length of a row, which must have at least k lengths. With upper
 * false, it is a lower bound, from the least values. With upper true, it is an upper bound, from
 * the greatest values. */
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
