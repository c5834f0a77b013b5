/* The time from the first record of a trace in partial order to the last. */
#include "analysis/extent.h"

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

/* The trace lasts at least from the first record of t to the last of s, which may be by so much
 * further apart than the estimate has them, or nearer. */
static void widen(const struct extent *extent, size_t s, size_t t, int64_t further, int64_t nearer,
                  int128 *least, int128 *greatest)
{
    const struct clock_extent *last = &extent->clocks[s], *first = &extent->clocks[t];
    if (!first->any || !last->any)
        return;
    int128 time = (int128)last->last_ticks - first->first_ticks;
    int128 low = nearer == MOVES_NONE ? 0 : time - nearer;
    int128 high = further == MOVES_NONE ? INT64_MAX : time + further;
    *least = low > *least ? low : *least;
    *greatest = high > *greatest ? high : *greatest;
}

csy_status extent_range(const struct extent *extent, const struct moves *moves, csy_range *range,
                        csy_error *error)
{
    int128 least = 0, greatest = 0, added = moves->sync->imprecision.added_ticks;
    csy_status status = CSY_OK;
    range->lo = 0;
    range->hi = INT64_MAX;
    for (size_t s = 0; moves->known && !status && s < extent->n; s++) {
        widen(extent, s, s, 0, 0, &least, &greatest);
        for (size_t t = s + 1; !status && t < extent->n; t++) {
            int64_t of_s, of_t; /* by how much each may be moved on */
            status = moves_between(moves, s, t, &of_s, &of_t, error);
            if (status)
                break;
            widen(extent, s, t, of_s, of_t, &least, &greatest);
            widen(extent, t, s, of_t, of_s, &least, &greatest);
        }
    }
    if (status || !moves->known)
        return status;
    least -= added;
    greatest += added;
    range->lo = least > 0 && fits_int64(least) ? (int64_t)least : 0;
    range->hi = fits_int64(greatest) ? (int64_t)greatest : INT64_MAX;
    return CSY_OK;
}
