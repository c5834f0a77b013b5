/*
 * Fits: means of times, and lines through times over bytes by least squares, with the ranges that
 * they take as clocks move.  All are sums of times, each times a weight, and so are moved by the
 * sums of weights of each pair of clocks.
 */
#ifndef ANALYSIS_RANGES_FITS_H
#define ANALYSIS_RANGES_FITS_H

#include "analysis/ranges/forms.h"
#include "instants/instants.h"

#include <cellsync/analysis.h>

/* Times of a group with as many bytes, between two clocks, or by one. */
struct fit_item {
    uint64_t bytes;
    uint32_t group;
    uint32_t pair; /* of clock_pairs, or NO_TEXT: one clock */
    bool back;     /* from the clock t of the pair to s */
    uint64_t count;
    int128 ticks;
    int64_t least_ticks;
    bool loose; /* of some of them nothing says that they are not below 0 */
};

struct fits {
    struct fit_item *items;
    size_t count, capacity;
    struct texts keys;
    struct clock_pairs pairs;
    csy_sync *sync;
    int64_t added_ticks; /* by which two stamps may be off */
    /* Of the figure at hand; zeroes: */
    int128 *by_pair;
    bool *seen;
    uint32_t *touched; /* pairs that are seen */
    size_t ntouched;
    int64_t *by_clock;
};

void fits_fini(struct fits *fits);

/* One more time, from one moment to another, which came after it for certain, or not (loose); false
 * on no memory. */
bool fits_add(struct fits *fits, uint32_t group, uint64_t bytes, const struct moment *begin,
              const struct moment *end, bool loose);

/* The lower end of a time that is not below 0: but for an estimate that is, which stays within. */
static inline int64_t fits_not_below_0(int64_t lo, int64_t estimate)
{
    int64_t least = estimate < 0 ? estimate : 0;
    return lo < least ? least : lo;
}

/* After all were added: by their groups, and bytes. */
csy_status fits_finish(struct fits *fits, csy_sync *sync, csy_error *error);

/* The least of all times of items, in ticks. */
void fits_least(struct fits *fits, const struct fit_item *items, size_t count, csy_value *out);

/* By how much a time from one clock to another may be above the estimate, and below it: no more
 * than this, or MOVES_NONE; the pair was added. */
void fits_moves(const struct fits *fits, uint32_t from, uint32_t to, int64_t *up, int64_t *down);

/* The mean of count items that are next to one another, in millionths of a tick; none where it
 * leaves 64 bits. */
void fits_mean(struct fits *fits, const struct fit_item *items, size_t count, csy_value *out);

/* The line through items of one group: where it begins, at no bytes, in millionths of a tick; how
 * it rises, in 10^-12 ticks a byte; and what it comes to at a number of times and bytes in all, in
 * ticks.  None where all have the same bytes, or sums are too great. */
void fits_line(struct fits *fits, const struct fit_item *items, size_t count, csy_value *intercept,
               csy_value *slope);
void fits_on_line(struct fits *fits, const struct fit_item *items, size_t count, uint64_t number,
                  uint64_t bytes, csy_value *out);

#endif
