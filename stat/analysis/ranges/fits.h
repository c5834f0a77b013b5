/* Means of times, and least-squares lines through times over bytes, with ranges for moving clocks.
 *
 * Each figure is a sum of weighted times. The moves of a pair of clocks change it by the sum of the
 * weights of the times between these clocks. */
#ifndef ANALYSIS_RANGES_FITS_H
#define ANALYSIS_RANGES_FITS_H

#include "analysis/ranges/forms.h"
#include "instants/instants.h"

#include <cellsync/analysis.h>

/* Times of one group and size, between the same two clocks or on one clock. */
struct fit_item {
    uint64_t bytes;
    uint32_t group;
    uint32_t pair; /* index into clock_pairs, or NO_TEXT for one clock */
    bool back;     /* from clock t of the pair to clock s */
    uint64_t count;
    int128 ticks;
    int64_t least_ticks;
    bool loose; /* some times may be negative */
    /* If clocks drift: how far the sum of all times may be above and below `ticks`, which
     * fits_finish sets for times between two clocks; and the least lower end and least upper end of
     * the times. INT64_MIN and INT64_MAX mean no limit. */
    int128 up, down;
    bool no_up, no_down;
    int64_t least_lo, least_hi;
};

struct fits {
    struct fit_item *items;
    size_t count, capacity;
    struct texts keys;
    struct clock_pairs pairs;
    /* If clocks drift, tubes.places is set before the first time is added, pairs are not used, the
     * pair of an item between two clocks is 0, and each item has a form in tubes. */
    struct form_tubes tubes;
    csy_sync *sync;
    int64_t added_ticks; /* greatest error of two timestamps together */
    /* Scratch for one figure; all 0 between figures: */
    int128 *by_pair;
    bool *seen;
    uint32_t *touched; /* pairs in the current figure */
    size_t ntouched;
    int64_t *by_clock;
};

void fits_fini(struct fits *fits);

/* Add the time between two moments. loose: the second may come before the first. Returns false if
 * out of memory. */
bool fits_add(struct fits *fits, uint32_t group, uint64_t bytes, const struct moment *begin,
              const struct moment *end, bool loose);

/* The lower end of a time that cannot be negative, unless its estimate is. */
static inline int64_t fits_not_below_0(int64_t lo, int64_t estimate)
{
    int64_t least = estimate < 0 ? estimate : 0;
    return lo < least ? least : lo;
}

/* Sort items by group and bytes, after the last time was added. */
csy_status fits_finish(struct fits *fits, csy_sync *sync, csy_error *error);

/* The least of all times of the items, in ticks. */
void fits_least(struct fits *fits, const struct fit_item *items, size_t count, csy_value *out);

/* How far a time from one clock to another may be above and below the estimate, or MOVES_NONE. The
 * pair must have been added. */
void fits_moves(const struct fits *fits, uint32_t from, uint32_t to, int64_t *up, int64_t *down);

/* Set the mean of `count` successive items, in millionths of a tick. The value is empty if the mean
 * exceeds 64 bits. */
void fits_mean(struct fits *fits, const struct fit_item *items, size_t count, csy_value *out);

/* Find the line through the items of a group. fits_line sets the intercept, at 0 bytes, in
 * millionths of a tick, and the slope in 10^-12 ticks a byte. fits_on_line sets the total time on
 * the line, in ticks, of `number` times with `bytes` bytes in all. There is no line if all items
 * have the same bytes, or sums are too large. */
void fits_line(struct fits *fits, const struct fit_item *items, size_t count, csy_value *intercept,
               csy_value *slope);
void fits_on_line(struct fits *fits, const struct fit_item *items, size_t count, uint64_t number,
                  uint64_t bytes, csy_value *out);

#endif
