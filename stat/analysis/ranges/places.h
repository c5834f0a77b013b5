/*
 * Places: how much earlier and later than its estimate an event of a drifting clock may have been.
 *
 * Global time is that of the reference.  The bounds of the solution hold for each reading of a
 * clock, so they are looked up by the local time of the event.
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
    int64_t from, to; /* local times from here on, and before this */
    int64_t before, after;
    int128 least_before, greatest_before, least_after, greatest_after;
    int64_t slow, fast; /* rates of the clock */
};

/* Where the pairs of two clocks were looked up last. */
struct pair_hint {
    uint32_t t;
    bool found;
    size_t first, end; /* of pairs from the clock to t */
};

struct event_places {
    csy_sync *sync;
    size_t n;
    struct place_segment *segments; /* by clock: of its last event */
    struct pair_hint *hints;        /* by clock */
    int64_t *early, *late; /* by clock: the most for each event between its first and last record,
                              and as far beyond these as they are apart; or PLACE_NONE */
    int64_t rate_ppb;      /* the greatest rate of any clock, or more */
    int64_t stamp_ticks;   /* what a wrong timestamp adds to half of imprecision.added_ticks */
};

/* *out is NULL if clocks do not drift, or figures get no ranges (csy_sync_ranges).  O(nodes of the
 * bounds). */
csy_status places_new(csy_sync *sync, struct event_places **out, csy_error *error);
void places_free(struct event_places *places);

/* By how much a moment may be earlier and later than its global_ticks, at least 0, or PLACE_NONE;
 * without half of imprecision.added_ticks.  O(1) for moments that follow one another on their
 * clock, otherwise O(log nodes). */
void places_at(struct event_places *places, const struct moment *at, int64_t *early, int64_t *late);

/* By how much the time between two moments may be less and more than moments_apart, at least 0, or
 * PLACE_NONE; without imprecision.added_ticks.  A time by one clock is limited by its rates and by
 * both moments.  A time between two clocks is limited by both moments, and by pairs of events of
 * these clocks nearby whose order is known.  O(log pairs of the two clocks). */
void places_apart(struct event_places *places, const struct moment *begin, const struct moment *end,
                  int64_t *less, int64_t *more);

/* The least and the greatest time between two moments of one clock, in ticks of global time: by its
 * rates, and by both moments; without imprecision.added_ticks. */
void places_length(struct event_places *places, const struct moment *begin,
                   const struct moment *end, int128 *least, int128 *most);

/* By how much a time of so many ticks of one clock may be less or more in global time, rounded up.
 * places NULL: clocks do not drift. */
static inline int128 places_own(const struct event_places *places, int128 ticks)
{
    int128 size = ticks < 0 ? -ticks : ticks;
    return places ? ceil_div(size * places->rate_ppb, 1000000000) : 0;
}

/* The sum, or PLACE_NONE. */
static inline int64_t places_sum(int64_t a, int64_t b)
{
    int64_t sum;
    return a == PLACE_NONE || b == PLACE_NONE || __builtin_add_overflow(a, b, &sum) ? PLACE_NONE
                                                                                    : sum;
}

#endif
