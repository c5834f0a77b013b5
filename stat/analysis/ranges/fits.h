/* Mean times, and least-squares lines of times as a function of bytes, with ranges. Each figure is
 * a weighted sum of times. If two clocks move against each other, the figure changes by the weights
 * of the times between these clocks. */
#ifndef ANALYSIS_RANGES_FITS_H
#define ANALYSIS_RANGES_FITS_H

#include "analysis/ranges/forms.h"
#include "instants/instants.h"

#include <cellsync/analysis.h>

/* All times of one group and number of bytes, on one clock or between the same two clocks. */
struct fit_item {
    uint64_t bytes;
    uint32_t group;
    uint32_t pair; /* index of the pair in clock_pairs, or NO_TEXT for one clock */
    bool back;     /* times begin on clock t of the pair, and end on clock s */
    uint64_t count;
    int128 ticks;
    int64_t least_ticks;
    bool loose; /* true if some times may be negative */
    /* If clocks drift: `up` and `down` say how far the sum of all times may be above and below
     * `ticks`. For times between two clocks, fits_finish sets `up` and `down`. The members least_lo
     * and least_hi are the least lower end and the least upper end of all times. INT64_MIN and
     * INT64_MAX mean no limit. */
    int128 up, down;
    bool no_up, no_down;
    int64_t least_lo, least_hi;
};

struct fits {
    struct fit_item *items;
    size_t count, capacity;
    struct texts keys;
    struct clock_pairs pairs;
    /* If clocks drift, each item has a sum in `tubes`, and `pairs` is unused: the pair of an item
     * between two clocks is 0. The caller sets tubes.places before adding times. */
    struct form_tubes tubes;
    csy_sync *sync;
    int64_t added_ticks; /* greatest error of two timestamps together, in ticks */
    /* The members below are scratch memory for one figure, and all 0 between figures. */
    int128 *by_pair;
    bool *seen;
    uint32_t *touched; /* indexes of the pairs of clocks in the current figure */
    size_t ntouched;
    int64_t *by_clock;
};

void fits_fini(struct fits *fits);

/* Add the time between two moments. If `loose` is true, the second moment may come before the
 * first. Returns false if out of memory. */
bool fits_add(struct fits *fits, uint32_t group, uint64_t bytes, const struct moment *begin,
              const struct moment *end, bool loose);

/* Return the lower end of a time that is at least 0. If the estimate is negative, the lower end is
 * at least the estimate. */
static inline int64_t fits_not_below_0(int64_t lo, int64_t estimate)
{
    int64_t least = estimate < 0 ? estimate : 0;
    return lo < least ? least : lo;
}

/* After the last time was added, sort items by group and bytes, and find moves of pairs. */
csy_status fits_finish(struct fits *fits, csy_sync *sync, csy_error *error);

/* Set *out to the least of all times of the items, in ticks. */
void fits_least(struct fits *fits, const struct fit_item *items, size_t count, csy_value *out);

/* Set *out to the mean time of `count` successive items, in millionths of a tick. The value is
 * empty if the mean exceeds 64 bits. */
void fits_mean(struct fits *fits, const struct fit_item *items, size_t count, csy_value *out);

/* fits_line finds the least-squares line through the times of a group. It sets the time at 0 bytes,
 * in millionths of a tick, and the slope, in 10^-12 ticks a byte. fits_on_line sets the total time
 * in ticks that the line predicts for `number` times with `bytes` bytes in all. There is no line if
 * all items have the same bytes, or if sums are too large. */
void fits_line(struct fits *fits, const struct fit_item *items, size_t count, csy_value *intercept,
               csy_value *slope);
void fits_on_line(struct fits *fits, const struct fit_item *items, size_t count, uint64_t number,
                  uint64_t bytes, csy_value *out);

#endif
