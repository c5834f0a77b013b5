/*
 * Places: how much earlier and how much later than its estimate an event of a drifting clock may
 * have occurred.
 *
 * Global time is the time of the reference. The solution has bounds for each reading of a clock, so
 * the limits are found from the local time of the event.
 */
#ifndef ANALYSIS_RANGES_PLACES_H
#define ANALYSIS_RANGES_PLACES_H

#include "instants/actors.h"
#include "sync/solution.h"

/* No limit. */
#define PLACE_NONE INT64_MAX

/* The bounds between two neighbouring readings of a clock, in parts of AGE_UNIT. */
struct place_segment {
    bool found, has_before, has_after;
    int64_t from, to; /* for local times from `from` on, and before `to` */
    int64_t before, after;
    int128 least_before, greatest_before, least_after, greatest_after;
    int64_t slow, fast; /* rates of the clock */
};

/* For a clock: the position of the last search among the pairs of this clock and clock t. */
struct pair_hint {
    uint32_t t;
    bool found;
    size_t first, end; /* range of the pairs from the clock to t */
};

struct event_places {
    csy_sync *sync;
    size_t n;
    struct place_segment *segments; /* by clock: the segment of its last event */
    struct pair_hint *hints;        /* by clock */
    /* by clock: the greatest limits of all events from its first record to its last record, and
     * before and after them for as long as these two are apart; or PLACE_NONE */
    int64_t *early, *late;
    int64_t rate_ppb;    /* an upper limit for the rate of all clocks */
    int64_t stamp_ticks; /* the error of a timestamp, beyond half of imprecision.added_ticks */
};

/* Make the places of a solution.  *out is NULL if clocks do not drift, or if figures have no ranges
 * (csy_sync_ranges).  O(nodes of the
 * bounds). */
csy_status places_new(csy_sync *sync, struct event_places **out, csy_error *error);
void places_free(struct event_places *places);

/* Find how much earlier and later a moment may be than its global_ticks: at least 0, or PLACE_NONE.
 * Half of imprecision.added_ticks is not included.  O(1) for moments that follow one another on
 * their clock, otherwise O(log nodes). */
void places_at(struct event_places *places, const struct moment *at, int64_t *early, int64_t *late);

/* Find how much the time between two moments may be below and above moments_apart: at least 0, or
 * PLACE_NONE.  imprecision.added_ticks is not included.  A time by one clock is limited by its
 * rates and by both moments.  A time between two clocks is limited by both moments, and by nearby
 * pairs of events of these clocks with known order.  O(log pairs of the two clocks). */
void places_apart(struct event_places *places, const struct moment *begin, const struct moment *end,
                  int64_t *less, int64_t *more);

/* The least and the greatest time between two moments of one clock, in ticks of global time: by its
 * rates and by both moments.  imprecision.added_ticks is not included. */
void places_length(struct event_places *places, const struct moment *begin,
                   const struct moment *end, int128 *least, int128 *most);

/* The greatest difference between a time in ticks of one clock and the same time in global time,
 * rounded up.  places NULL: clocks do not drift. */
static inline int128 places_own(const struct event_places *places, int128 ticks)
{
    int128 size = ticks < 0 ? -ticks : ticks;
    return places ? ceil_div(size * places->rate_ppb, 1000000000) : 0;
}

/* a + b, or PLACE_NONE if one of them is PLACE_NONE or the sum is too large. */
static inline int64_t places_sum(int64_t a, int64_t b)
{
    int64_t sum;
    return a == PLACE_NONE || b == PLACE_NONE || __builtin_add_overflow(a, b, &sum) ? PLACE_NONE
                                                                                    : sum;
}

#endif
