/* Histograms of call durations, three for each row. A bin is 1/32 of an octave wide. A call's
 * length has an estimate, a least value, and a greatest value, each counted in its own histogram.
 * The k-th smallest length is at least the k-th smallest least value, and at most the k-th smallest
 * greatest value. */
#ifndef ANALYSIS_CALLS_LENGTHS_H
#define ANALYSIS_CALLS_LENGTHS_H

#include "analysis/ranges/moves.h"
#include "base/keys.h"
#include "base/number.h"
#include "instants/actors.h"

#include <cellsync/analysis.h>

/* number of histograms: of estimates, of least values, and of greatest values */
enum { LENGTHS_SIDES = 3 };

struct lengths_bin {
    uint64_t key; /* the row and the bin */
    uint64_t n[LENGTHS_SIDES];
};

/* The histograms of all rows; {0} is empty. */
struct lengths {
    /* bins, ordered by the numbers of their keys until lengths_sort */
    struct lengths_bin *bins;
    size_t count, capacity;
    struct keys keys;
};

void lengths_fini(struct lengths *lengths);

/* Add the length of a call to the histograms of a row. Returns false if out of memory. */
bool lengths_add(struct lengths *lengths, uint32_t row, const csy_range *length);

/* Sort the bins, after the last call of lengths_add. */
void lengths_sort(struct lengths *lengths);

/* Find the length that `percent` percent of the row's `count` lengths do not exceed. */
csy_range lengths_quantile(const struct lengths *lengths, uint32_t row, uint64_t count,
                           unsigned percent);

/* Find a bound of the k-th smallest length of a row with at least k lengths. If `upper`, an upper
 * bound from greatest values, otherwise a lower bound from least values. */
int64_t lengths_bound(const struct lengths *lengths, uint32_t row, uint64_t k, bool upper);

/* Find how long a call took. The length is a range if the ends are on different clocks. `added` is
 * the error of both timestamps together. */
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
