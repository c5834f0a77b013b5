/*
 * Fits: means of times, and lines through times over bytes by least squares, with their ranges as
 * clocks move.
 *
 * Each figure is a sum of times with weights.  The moves of a pair of clocks change it by the sum
 * of the weights of the times between these clocks.
 */
#ifndef ANALYSIS_RANGES_FITS_H
#define ANALYSIS_RANGES_FITS_H

#include "analysis/ranges/forms.h"
#include "instants/instants.h"

#include <cellsync/analysis.h>

/* Times of one group with the same number of bytes, between the same two clocks or by one clock. */
struct fit_item {
    uint64_t bytes;
    uint32_t group;
    uint32_t pair; /* index into clock_pairs, or NO_TEXT: one clock */
    bool back;     /* times lead from clock t of the pair to clock s */
    uint64_t count;
    int128 ticks;
    int64_t least_ticks;
    bool loose; /* some of the times may be below 0 */
    /* If clocks drift: how far the sum of all times may be above and below `ticks`; for times
     * between two clocks, fits_finish sets this.  And the least lower end and least upper end of
     * all times; INT64_MIN and INT64_MAX if there is no limit. */
    int128 up, down;
    bool no_up, no_down;
    int64_t least_lo, least_hi;
};

struct fits {
    struct fit_item *items;
    size_t count, capacity;
    struct texts keys;
    struct clock_pairs pairs;
    /* tubes.places is set before the first time is added if clocks drift.  Then there are no pairs,
     * the pair of an item between two clocks is 0, and each item has a form in tubes. */
    struct form_tubes tubes;
    csy_sync *sync;
    int64_t added_ticks; /* the greatest error of two timestamps together */
    /* Scratch space for one figure; all 0 between figures: */
    int128 *by_pair;
    bool *seen;
    uint32_t *touched; /* pairs used in the current figure */
    size_t ntouched;
    int64_t *by_clock;
};

void fits_fini(struct fits *fits);

/* Add the time from one moment to another.  loose: the second moment may come before the first.
 * Returns false if memory runs out. */
bool fits_add(struct fits *fits, uint32_t group, uint64_t bytes, const struct moment *begin,
              const struct moment *end, bool loose);

/* The lower end of a time that is not below 0.  An estimate below 0 stays within the range. */
static inline int64_t fits_not_below_0(int64_t lo, int64_t estimate)
{
    int64_t least = estimate < 0 ? estimate : 0;
    return lo < least ? least : lo;
}

/* Call it after the last time was added.  Sorts items by group and bytes. */
csy_status fits_finish(struct fits *fits, csy_sync *sync, csy_error *error);

/* The least of all times of items, in ticks. */
void fits_least(struct fits *fits, const struct fit_item *items, size_t count, csy_value *out);

/* How far a time from one clock to another may be above the estimate, and below it, or MOVES_NONE
 * if there is no limit.  The pair must have been added. */
void fits_moves(const struct fits *fits, uint32_t from, uint32_t to, int64_t *up, int64_t *down);

/* Set the mean of `count` successive items, in millionths of a tick.  There is none if it leaves 64
 * bits. */
void fits_mean(struct fits *fits, const struct fit_item *items, size_t count, csy_value *out);

/* Find the line through the items of one group. fits_line sets the intercept, at 0 bytes, in
 * millionths of a tick, and the slope in 10^-12 ticks a byte. fits_on_line sets the total time on
 * the line for a number of times with a total number of bytes, in ticks.  None if all items have
 * the same bytes, or if sums are too large. */
void fits_line(struct fits *fits, const struct fit_item *items, size_t count, csy_value *intercept,
               csy_value *slope);
void fits_on_line(struct fits *fits, const struct fit_item *items, size_t count, uint64_t number,
                  uint64_t bytes, csy_value *out);

#endif
