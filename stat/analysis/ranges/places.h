/* Places: how much earlier or later than its estimate an event of a drifting clock may have been.
 *
 * Global time is the reference's time. The solution has bounds for each reading of a clock, so the
 * limits follow from an event's local time. */
#ifndef ANALYSIS_RANGES_PLACES_H
#define ANALYSIS_RANGES_PLACES_H

#include "instants/actors.h"
#include "sync/solution.h"

/* There is no limit. */
#define PLACE_NONE INT64_MAX

/* Bounds between two neighbouring readings of a clock, in units of 1/AGE_UNIT. */
struct place_segment {
    bool found, has_before, has_after;
    int64_t from, to; /* for local times from `from` to `until` - 1 */
    int64_t before, after;
    int128 least_before, greatest_before, least_after, greatest_after;
    int64_t slow, fast; /* rates of the clock */
};

/* The result of the last search among a clock's pairs with clock t. */
struct pair_hint {
    uint32_t t;
    bool found;
    size_t first, end; /* the pairs from the clock to t */
};

struct event_places {
    csy_sync *sync;
    size_t n;
    struct place_segment *segments; /* for each clock, the segment of its last event */
    struct pair_hint *hints;        /* for each clock */
    /* for each clock, greatest limits of all events from its first to its last record, and as long
     * before and after; or PLACE_NONE */
    int64_t *early, *late;
    int64_t rate_ppb;    /* upper limit of all clocks' rates */
    int64_t stamp_ticks; /* timestamp error beyond half of imprecision.added_ticks */
};

/* Make the places of a solution. *out is NULL if clocks do not drift, or figures have no ranges
 * (csy_sync_ranges). O(nodes of the bounds). */
csy_status places_new(csy_sync *sync, struct event_places **out, csy_error *error);
void places_free(struct event_places *places);

/* Find how much earlier and later a moment may be than global_ticks: at least 0, or PLACE_NONE.
 * Half of imprecision.added_ticks is not included. O(1) for successive moments of a clock,
 * otherwise O(log nodes). */
void places_at(struct event_places *places, const struct moment *at, int64_t *early, int64_t *late);

/* Find how far the time between two moments may be below and above moments_apart: at least 0, or
 * PLACE_NONE. imprecision.added_ticks is not included. Its rates and both moments limit a time on
 * one clock; both moments, and nearby pairs of events of known order, limit a time between clocks.
 * O(log pairs of the two clocks). */
void places_apart(struct event_places *places, const struct moment *begin, const struct moment *end,
                  int64_t *less, int64_t *more);

/* Find the least and greatest time between two moments of one clock, in ticks of global time, from
 * its rates and both moments. imprecision.added_ticks is not included. */
void places_length(struct event_places *places, const struct moment *begin,
                   const struct moment *end, int128 *least, int128 *most);

/* The greatest difference, rounded up, between a time in ticks of a clock and in global time.
 * places NULL: no drift. */
static inline int128 places_own(const struct event_places *places, int128 ticks)
{
    int128 size = ticks < 0 ? -ticks : ticks;
    return places ? ceil_div(size * places->rate_ppb, 1000000000) : 0;
}

/* a + b, or PLACE_NONE if either is PLACE_NONE or the sum is too large. */
static inline int64_t places_sum(int64_t a, int64_t b)
{
    int64_t sum;
    return a == PLACE_NONE || b == PLACE_NONE || __builtin_add_overflow(a, b, &sum) ? PLACE_NONE
                                                                                    : sum;
}

#endif
