/* Mean times, and least-squares lines of times as a function of bytes, with ranges. Each result is
 * a weighted sum of times. If the offset of a clock changes, times from or to this clock change by
 * the same amount, so the sum changes by their weights. */
#ifndef ANALYSIS_RANGES_FITS_H
#define ANALYSIS_RANGES_FITS_H

#include "analysis/ranges/forms.h"

/* The times of one group and size between the same two clocks, or on one. */
struct fit_item {
    uint64_t bytes;
    uint32_t group;
    uint32_t pair; /* index of the pair of clocks in clock_pairs, or NO_TEXT for a single clock */
    bool back;     /* true if the times begin on clock t of the pair, and end on clock s */
    uint64_t count;
    int128 ticks;
    int64_t least_ticks;
    bool loose; /* true if some times may be negative */
    /* Only used if clocks drift. `up` and `down`: how much more and less than `ticks` the true sum
     * may be. least_lo and least_hi: least ends of all times, or INT64_MIN and INT64_MAX. */
    int128 up, down;
    bool no_up, no_down;
    int64_t least_lo, least_hi;
};

struct fits {
    struct fit_item *items;
    size_t count, capacity;
    struct texts keys;
    struct clock_pairs pairs;
    struct form_tubes tubes; /* sums if clocks drift; set tubes.places before the first time */
    csy_sync *sync;
    int64_t added_ticks; /* greatest sum of the errors of two timestamps, in ticks */
    /* The members below are temporary memory for one result, and 0 between results. */
    int128 *by_pair;
    bool *seen;
    uint32_t *touched; /* indices of the pairs of clocks in the current result */
    size_t ntouched;
    int64_t *by_clock;
};

void fits_fini(struct fits *fits);

/* Add a time, which may be negative if `loose` is true. Returns false if out of memory. */
bool fits_add(struct fits *fits, uint32_t group, uint64_t bytes, const struct moment *begin,
              const struct moment *end, bool loose);

/* Returns `lo`, raised to 0 because a time cannot be negative, but not above the estimate. */
static inline int64_t fits_not_below_0(int64_t lo, int64_t estimate)
{
    int64_t least = estimate < 0 ? estimate : 0;
    return lo < least ? least : lo;
}

/* Sort items by group and bytes, and find how far clocks may move. Call after the last time. */
csy_status fits_finish(struct fits *fits, csy_sync *sync, csy_error *error);

/* Set *out to the shortest time in ticks. */
void fits_least(struct fits *fits, const struct fit_item *items, size_t count, csy_value *out);

/* Set *out to the mean of `count` items in millionths of a tick, or to nothing beyond 64 bits. */
void fits_mean(struct fits *fits, const struct fit_item *items, size_t count, csy_value *out);

/* fits_line sets the least-squares line of a group: the time at 0 bytes, in millionths of a tick,
 * and the slope, in 10^-12 ticks per byte. fits_on_line sets the total ticks that it predicts for
 * `number` times with `bytes` bytes in all. Values are empty if all items have the same bytes, or
 * if sums are too large. */
void fits_line(struct fits *fits, const struct fit_item *items, size_t count, csy_value *intercept,
               csy_value *slope);
void fits_on_line(struct fits *fits, const struct fit_item *items, size_t count, uint64_t number,
                  uint64_t bytes, csy_value *out);

#endif
