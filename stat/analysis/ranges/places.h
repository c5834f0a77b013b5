/* Finds how much earlier or later than estimated an event of a drifting clock may have been. The
 * solution has bounds for some readings of each clock. The limits of an event follow from the
 * bounds of the readings before and after it. */
#ifndef ANALYSIS_RANGES_PLACES_H
#define ANALYSIS_RANGES_PLACES_H

#include "instants/actors.h"
#include "sync/solution.h"

/* A limit with this value means that there is no limit. */
#define PLACE_NONE INT64_MAX

/* Two neighbouring readings of a clock that have bounds, in 1/AGE_UNIT tick. */
struct place_segment {
    bool found, has_before, has_after;
    int64_t from, to; /* valid for local times from `from` to `to` - 1 */
    int64_t before, after;
    int128 least_before, greatest_before, least_after, greatest_after;
    int64_t slow, fast; /* least and greatest rate of the clock */
};

/* The last search for pairs of events, with known order, on a clock and on the clock t. */
struct pair_hint {
    uint32_t t;
    bool found;
    size_t first, end; /* the pairs found have the indices `first` to `end` - 1 */
};

struct event_places {
    csy_sync *sync;
    size_t n;
    struct place_segment *segments; /* for each clock: the segment of the event examined last */
    struct pair_hint *hints;        /* for each clock: the last search for pairs of events */
    /* for each clock: how much earlier and later any event may have been; PLACE_NONE: no limit */
    int64_t *early, *late;
    int64_t rate_ppb;    /* greatest possible drift of a clock, in parts per billion */
    int64_t stamp_ticks; /* greatest timestamp error in ticks, minus imprecision.added_ticks / 2 */
};

/* *out becomes NULL if clocks do not drift or have no bounds. Cost: O(readings with bounds). */
csy_status places_new(csy_sync *sync, struct event_places **out, csy_error *error);
void places_free(struct event_places *places);

/* Set how much earlier and later than estimated a moment may have been, in ticks, without timestamp
 * errors; PLACE_NONE means no limit. Cost: O(1) for successive moments of a clock. */
void places_at(struct event_places *places, const struct moment *at, int64_t *early, int64_t *late);

/* Set how much shorter and longer than estimated a time may be, in ticks, without timestamp errors;
 * PLACE_NONE means no limit. Pairs of events whose order is known can narrow these limits. */
void places_apart(struct event_places *places, const struct moment *begin, const struct moment *end,
                  int64_t *less, int64_t *more);

/* Set the limits of a time on one clock, in ticks of the reference clock, without timestamp errors.
 * */
void places_length(struct event_places *places, const struct moment *begin,
                   const struct moment *end, int128 *least, int128 *most);

/* Returns how far a time measured by a drifting clock may differ from the reference clock, rounded
 * up. Without drift, `places` is NULL and the result is 0. */
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
