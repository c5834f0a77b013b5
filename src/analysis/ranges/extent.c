/* The time from the first record of a trace in partial order to the last. */
#include "analysis/ranges/extent.h"

#include "base/error.h"

#include <stdlib.h>

csy_status extent_init(struct extent *extent, size_t nclocks, csy_error *error)
{
    *extent = (struct extent){calloc(nclocks + 1, sizeof *extent->clocks), nclocks};
    return extent->clocks ? CSY_OK : error_memory(error);
}

void extent_fini(struct extent *extent)
{
    free(extent->clocks);
    *extent = (struct extent){0};
}

/* A time that is no less, whatever the offsets are, and one that is no more; by how much it may be
 * longer than the estimate has it, or shorter. */
static void widen(int128 time, int64_t longer, int64_t shorter, int128 *least, int128 *greatest)
{
    int128 low = shorter == MOVES_NONE ? 0 : time - shorter;
    int128 high = longer == MOVES_NONE ? INT64_MAX : time + longer;
    *least = low > *least ? low : *least;
    *greatest = high > *greatest ? high : *greatest;
}

/* The trace lasts at least from the first record of t to the last of s. */
static void widen_pair(const struct extent *extent, size_t s, size_t t, int64_t longer,
                       int64_t shorter, int128 *least, int128 *greatest)
{
    const struct clock_extent *last = &extent->clocks[s], *first = &extent->clocks[t];
    if (first->any && last->any)
        widen((int128)last->last_ticks - first->first_ticks, longer, shorter, least, greatest);
}

static void set_range(csy_range *range, int128 least, int128 greatest, int128 added)
{
    least -= added;
    greatest += added;
    range->lo = least > 0 && fits_int64(least) ? (int64_t)least : 0;
    range->hi = fits_int64(greatest) ? (int64_t)greatest : INT64_MAX;
}

csy_status extent_range(const struct extent *extent, const struct moves *moves, csy_range *range,
                        csy_error *error)
{
    int128 least = 0, greatest = 0, added = moves->sync->imprecision.added_ticks;
    csy_status status = CSY_OK;
    range->lo = 0;
    range->hi = INT64_MAX;
    for (size_t s = 0; moves->known && !status && s < extent->n; s++) {
        widen_pair(extent, s, s, 0, 0, &least, &greatest);
        for (size_t t = s + 1; !status && t < extent->n; t++) {
            int64_t of_s, of_t; /* by how much each may be moved on */
            status = moves_between(moves, s, t, &of_s, &of_t, error);
            if (status)
                break;
            widen_pair(extent, s, t, of_s, of_t, &least, &greatest);
            widen_pair(extent, t, s, of_t, of_s, &least, &greatest);
        }
    }
    if (!status && moves->known)
        set_range(range, least, greatest, added);
    return status;
}

csy_status extent_range_from(const struct extent *extent, const struct moves *moves,
                             const struct moment *first, const struct moment *last,
                             csy_range *range, csy_error *error)
{
    int128 least = 0, greatest = 0;
    const struct moment *end = first ? first : last;
    csy_status status = CSY_OK;
    range->lo = 0;
    range->hi = INT64_MAX;
    for (size_t t = 0; moves->known && !status && t < extent->n; t++) {
        const struct clock_extent *clock = &extent->clocks[t];
        int64_t of_end = 0, of_t = 0;
        if (!clock->any)
            continue;
        if (t != end->clock)
            status = moves_between(moves, end->clock, t, &of_end, &of_t, error);
        if (!status && first)
            widen((int128)clock->last_ticks - first->global_ticks, of_t, of_end, &least, &greatest);
        else if (!status)
            widen((int128)last->global_ticks - clock->first_ticks, of_end, of_t, &least, &greatest);
    }
    if (!status && moves->known)
        set_range(range, least, greatest, moves->sync->imprecision.added_ticks);
    return status;
}
