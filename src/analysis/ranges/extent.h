/* The time from the first record of a trace in partial order to the last: any clock may have either
 * of them. */
#ifndef ANALYSIS_RANGES_EXTENT_H
#define ANALYSIS_RANGES_EXTENT_H

#include "analysis/ranges/moves.h"
#include "instants/actors.h"

#include <cellsync/analysis.h>

/* What was met of a clock, in global time. */
struct clock_extent {
    bool any;
    int64_t first_ticks, last_ticks;
};

enum { EXTENT_CLOCKS_MAX = 4096 };

struct extent {
    struct clock_extent *clocks;
    size_t n;
};

csy_status extent_init(struct extent *extent, size_t nclocks, csy_error *error);
void extent_fini(struct extent *extent);

static inline void extent_note(struct extent *extent, uint32_t clock, int64_t global_ticks)
{
    struct clock_extent *c = &extent->clocks[clock];
    c->first_ticks = !c->any || global_ticks < c->first_ticks ? global_ticks : c->first_ticks;
    c->last_ticks = !c->any || global_ticks > c->last_ticks ? global_ticks : c->last_ticks;
    c->any = true;
}

/* Its range, but for the estimate and the kind; 0 and INT64_MAX where nothing is known.  O(T^2). */
csy_status extent_range(const struct extent *extent, const struct moves *moves, csy_range *range,
                        csy_error *error);

/* The same from a moment to the last record, or from the first one to a moment, whichever is not
 * NULL; nothing is less than 0.  O(T). */
csy_status extent_range_from(const struct extent *extent, const struct moves *moves,
                             const struct moment *first, const struct moment *last,
                             csy_range *range, csy_error *error);

#endif
