/* Places: how much earlier or later than its estimate an event of a drifting clock may have been.
 * Global time is the time of the reference clock. The solution has bounds for readings of each
 * clock, so the limits of an event follow from its local time. */
#ifndef ANALYSIS_RANGES_PLACES_H
#define ANALYSIS_RANGES_PLACES_H

#include "instants/actors.h"
#include "sync/solution.h"

/* A limit with this value means that there is no limit. */
#define PLACE_NONE INT64_MAX

/* The bounds of a clock between two neighbouring readings, in 1/AGE_UNIT tick. */
struct place_segment {
    bool found, has_before, has_after;
    int64_t from, to; /* valid for local times from `from` to `to` - 1 */
    int64_t before, after;
    int128 least_before, greatest_before, least_after, greatest_after;
    int64_t slow, fast; /* least and greatest rate of the clock */
};

/* The result of the last search for pairs of events between a clock and the clock t. */
struct pair_hint {
    uint32_t t;
    bool found;
    size_t first, end; /* the pairs have the indexes `first` to `end` - 1 */
};

struct event_places {
    csy_sync *sync;
    size_t n;
    struct place_segment *segments; /* for each clock: the segment of its last event */
    struct pair_hint *hints;        /* for each clock: its last search for pairs */
    /* for each clock: the greatest limits of events from its first to its last record, extended by
     * this length on both sides; PLACE_NONE: no limit */
    int64_t *early, *late;
    int64_t rate_ppb;    /* upper limit of the rates of all clocks */
    int64_t stamp_ticks; /* greatest timestamp error beyond imprecision.added_ticks / 2 */
};

/* Make the places for a solution, in O(nodes of its bounds). *out is NULL if clocks do not drift,
 * or figures have no ranges (csy_sync_ranges). */
csy_status places_new(csy_sync *sync, struct event_places **out, csy_error *error);
void places_free(struct event_places *places);

/* Set how much earlier and later than global_ticks a moment may be: at least 0, or PLACE_NONE. Half
 * of imprecision.added_ticks is not included. O(1) for successive moments of a clock. */
void places_at(struct event_places *places, const struct moment *at, int64_t *early, int64_t *late);

/* Set how far the time between two moments may be below and above moments_apart: at least 0, or
 * PLACE_NONE. imprecision.added_ticks is not included. The limits come from both moments, and on
 * one clock also from its rates. Between clocks, pairs of events of known order count, too. */
void places_apart(struct event_places *places, const struct moment *begin, const struct moment *end,
                  int64_t *less, int64_t *more);

/* Set the least and greatest time between two moments of one clock, in ticks of global time. The
 * limits come from the clock's rates and both moments, without imprecision.added_ticks. */
void places_length(struct event_places *places, const struct moment *begin,
                   const struct moment *end, int128 *least, int128 *most);

/* Return the greatest difference, rounded up, between a time in ticks of a clock and in global
 * time. If `places` is NULL, clocks do not drift. */
static inline int128 places_own(const struct event_places *places, int128 ticks)
{
    int128 size = ticks < 0 ? -ticks : ticks;
    return places ? ceil_div(size * places->rate_ppb, 1000000000) : 0;
}

/* Return a + b, or PLACE_NONE if either is PLACE_NONE or the sum is too large. */
static inline int64_t places_sum(int64_t a, int64_t b)
{
    int64_t sum;
    return a == PLACE_NONE || b == PLACE_NONE || __builtin_add_overflow(a, b, &sum) ? PLACE_NONE
                                                                                    : sum;
}

#endif
