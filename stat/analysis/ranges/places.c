/* Finds how much earlier or later than estimated each event of a drifting clock may have been. */
#include "analysis/ranges/places.h"

#include "base/array.h"
#include "base/error.h"
#include "sync/drift/drift.h"
#include "sync/placement.h"

#include <cellsync/analysis.h>
#include <stdlib.h>

static int64_t local_of(const csy_sync *sync, size_t clock, uint32_t node)
{
    return (int64_t)(sync->drift->ageing.reading[node] - sync->survey.rough.offset[clock]);
}

/* Find the readings with bounds directly before and after a local time. */
static void find_segment(const csy_sync *sync, uint32_t clock, int64_t local_ticks,
                         struct place_segment *out)
{
    const struct ageing *ageing = &sync->drift->ageing;
    const int128 shift = sync->drift->shift[clock];
    const struct ageing_moment moment = {clock, rebase_x(&sync->survey.rough, clock, local_ticks)};
    const struct neighbours at = ageing_neighbours(ageing, moment);
    *out = (struct place_segment){.found = true,
                                  .from = INT64_MIN,
                                  .to = INT64_MAX,
                                  .has_before = at.before != NO_NODE,
                                  .has_after = at.after != NO_NODE,
                                  .slow = ageing->rates[clock].least,
                                  .fast = ageing->rates[clock].greatest};
    if (at.before != NO_NODE) {
        out->from = out->before = local_of(sync, clock, at.before);
        out->least_before = ageing->least[at.before] + shift;
        out->greatest_before = ageing_greatest(ageing, at.before) + shift;
    }
    if (at.after != NO_NODE) {
        out->to = out->after = local_of(sync, clock, at.after);
        out->least_after = ageing->least[at.after] + shift;
        out->greatest_after = ageing_greatest(ageing, at.after) + shift;
    }
}

/* Returns age / AGE_UNIT, rounded down. Most ages fit 64 bits, for which division is faster. */
static int128 whole_ticks(int128 age)
{
    if (!fits_int64(age))
        return floor_div(age, AGE_UNIT);
    int64_t part = (int64_t)age, ticks = part / AGE_UNIT;
    return ticks - (part < ticks * AGE_UNIT);
}

static int64_t at_least_0(int128 ticks)
{
    return ticks < 0 ? 0 : fits_int64(ticks) ? (int64_t)ticks : PLACE_NONE;
}

static bool is_bounded(const csy_sync *sync, uint32_t clock)
{
    const struct ageing *ageing = &sync->drift->ageing;
    return ageing->component[clock] == ageing->component[sync->reference];
}

void places_at(struct event_places *places, const struct moment *at, int64_t *early, int64_t *late)
{
    const csy_sync *sync = places->sync;
    struct place_segment *s = &places->segments[at->clock];
    int128 least = 0, greatest = 0; /* limits of global time minus local time */
    *early = *late = PLACE_NONE;
    if (!is_bounded(sync, at->clock))
        return;
    if (!s->found || at->local_ticks < s->from || at->local_ticks >= s->to)
        find_segment(sync, at->clock, at->local_ticks, s);
    /* local times of one clock are less than 2^62 ticks apart, so this cannot overflow */
    if (s->has_before) {
        int64_t by = (int64_t)((uint64_t)at->local_ticks - (uint64_t)s->before);
        least = s->least_before + (int128)s->slow * by;
        greatest = s->greatest_before + (int128)s->fast * by;
    }
    if (s->has_after) {
        int64_t by = (int64_t)((uint64_t)s->after - (uint64_t)at->local_ticks);
        int128 low = s->least_after - (int128)s->fast * by;
        int128 high = s->greatest_after - (int128)s->slow * by;
        least = s->has_before && least > low ? least : low;
        greatest = s->has_before && greatest < high ? greatest : high;
    }
    if (!s->has_before && !s->has_after) { /* only the reference clock has no bounds */
        *early = *late = places->stamp_ticks;
        return;
    }
    int128 age = (int128)at->global_ticks - at->local_ticks;
    *early = places_sum(at_least_0(age - whole_ticks(least)), places->stamp_ticks);
    *late = places_sum(at_least_0(-whole_ticks(-greatest) - age), places->stamp_ticks);
}

/* --- Times between two clocks --------------------------------------------------------------- */

/* Returns the longest time by the reference clock for `by` ticks of a clock, in 1/AGE_UNIT tick. */
static int128 most_of(const struct ageing_rate *rate, int128 by)
{
    return by * (AGE_UNIT + (by >= 0 ? rate->greatest : rate->least));
}

/* Find an upper limit of the time from b to a, in ticks. It comes from pairs of events near a and
 * b, where an event of a's clock precedes one of b's clock. Returns false without such a pair. */
static bool limit_by_pairs(struct event_places *places, const struct moment *a,
                           const struct moment *b, int128 *ticks)
{
    enum { TRIED_MOST = 8 };
    const csy_sync *sync = places->sync;
    const struct ageing *ageing = &sync->drift->ageing;
    const struct pairs *pairs = &places->sync->drift->pairs;
    struct pair_hint *hint = &places->hints[a->clock];
    if (!hint->found || hint->t != b->clock) {
        size_t low = pairs->first[a->clock], high = pairs->first[a->clock + 1];
        BISECT(low, high, middle, pairs->items[middle].t < b->clock);
        *hint = (struct pair_hint){.t = b->clock, .found = true, .first = low};
        high = pairs->first[a->clock + 1];
        BISECT(low, high, middle, pairs->items[middle].t == b->clock);
        hint->end = low;
    }
    const struct ageing_rate *of_a = &ageing->rates[a->clock], *of_b = &ageing->rates[b->clock];
    int64_t x = rebase_x(&sync->survey.rough, a->clock, a->local_ticks);
    int64_t y = rebase_x(&sync->survey.rough, b->clock, b->local_ticks);
    size_t by_a = hint->first, by_b = hint->first, high = hint->end;
    BISECT(by_a, high, middle, ageing->reading[ageing->from[middle]] <= x);
    high = hint->end;
    BISECT(by_b, high, middle, ageing->reading[ageing->to[middle]] <= y);
    size_t first = by_a < by_b ? by_a : by_b, last = by_a < by_b ? by_b : by_a, tried = 0;
    first -= first > hint->first;
    bool any = false;
    for (size_t i = first; i <= last && i < hint->end; i++) {
        if (++tried > TRIED_MOST && i < last)
            continue;
        const struct clock_pair *pair = &sync->drift->pairs.items[i];
        int64_t from = ageing->reading[ageing->from[i]], to = ageing->reading[ageing->to[i]];
        int128 limit = ((int128)from - to) * AGE_UNIT + ageing_loss(ageing, pair->weight, true) +
                       most_of(of_a, (int128)x - from) + most_of(of_b, (int128)to - y);
        int128 up = ceil_div(limit, AGE_UNIT);
        *ticks = any && *ticks < up ? *ticks : up;
        any = true;
    }
    return any;
}

void places_length(struct event_places *places, const struct moment *begin,
                   const struct moment *end, int128 *least, int128 *most)
{
    int64_t early[2], late[2];
    int128 local = (int128)end->local_ticks - begin->local_ticks;
    int128 global = (int128)end->global_ticks - begin->global_ticks;
    int128 own = places_own(places, local) + 2 * (int128)places->stamp_ticks;
    places_at(places, begin, &early[0], &late[0]);
    places_at(places, end, &early[1], &late[1]);
    int64_t less = places_sum(early[1], late[0]), more = places_sum(late[1], early[0]);
    *least = local - own;
    *most = local + own;
    if (less != PLACE_NONE && global - less > *least)
        *least = global - less;
    if (more != PLACE_NONE && global + more < *most)
        *most = global + more;
}

void places_apart(struct event_places *places, const struct moment *begin, const struct moment *end,
                  int64_t *less, int64_t *more)
{
    int64_t early[2], late[2];
    if (begin->clock == end->clock) {
        int128 local = moments_apart(begin, end), least, most;
        places_length(places, begin, end, &least, &most);
        *less = at_least_0(local - least);
        *more = at_least_0(most - local);
        return;
    }
    places_at(places, begin, &early[0], &late[0]);
    places_at(places, end, &early[1], &late[1]);
    *less = places_sum(early[1], late[0]);
    *more = places_sum(late[1], early[0]);
    /* Narrow the limits by pairs of events on both clocks whose order is known. */
    int128 shown = (int128)end->global_ticks - begin->global_ticks, ticks;
    int64_t by;
    if (limit_by_pairs(places, end, begin, &ticks)) {
        by = places_sum(at_least_0(ticks - shown), 2 * places->stamp_ticks);
        *more = by < *more ? by : *more;
    }
    if (limit_by_pairs(places, begin, end, &ticks)) {
        by = places_sum(at_least_0(ticks + shown), 2 * places->stamp_ticks);
        *less = by < *less ? by : *less;
    }
}

/* --- The greatest limit of a clock --- */

static void raise(struct event_places *places, uint32_t clock, int128 local_ticks)
{
    int64_t early, late;
    struct moment at = {.local_ticks = nearest_int64(local_ticks), .clock = clock};
    int128 global = placement_of(places->sync, clock, at.local_ticks);
    at.global_ticks = nearest_int64(global);
    if (!fits_int64(global) || !fits_int64(local_ticks))
        early = late = PLACE_NONE;
    else
        places_at(places, &at, &early, &late);
    places->early[clock] = early > places->early[clock] ? early : places->early[clock];
    places->late[clock] = late > places->late[clock] ? late : places->late[clock];
}

/* Limits between two readings are linear functions of local time, so they are greatest where two of
 * these functions meet. */
static void raise_between(struct event_places *places, uint32_t clock, uint32_t a, uint32_t b)
{
    const struct ageing *ageing = &places->sync->drift->ageing;
    const struct ageing_rate *rate = &ageing->rates[clock];
    int128 by = (int128)ageing->reading[b] - ageing->reading[a];
    int128 range = (int128)rate->greatest - rate->least;
    int128 rise = ageing_greatest(ageing, b) - ageing_greatest(ageing, a) - rate->least * by;
    int128 fall = ageing->least[a] - ageing->least[b] + rate->greatest * by;
    int128 from = local_of(places->sync, clock, a);
    if (range <= 0)
        return;
    const int128 meets[2] = {floor_div(rise, range), floor_div(fall, range)};
    for (size_t i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++)
            if (meets[i] + k > 0 && meets[i] + k < by)
                raise(places, clock, from + meets[i] + k);
}

void places_free(struct event_places *places)
{
    if (!places)
        return;
    free(places->segments);
    free(places->hints);
    free(places->early);
    free(places->late);
    free(places);
}

csy_status places_new(csy_sync *sync, struct event_places **out, csy_error *error)
{
    size_t n = sync->survey.threads.count;
    *out = NULL;
    if (!sync->drift || csy_sync_ranges(sync) == CSY_RANGES_NONE)
        return CSY_OK;
    struct event_places *places = calloc(1, sizeof *places);
    if (!places)
        return error_memory(error);
    int64_t rate = sync->drift->view.rate_ppb, added = sync->imprecision.added_ticks;
    /* A timestamp error can be longer by the reference clock than by the local clock. */
    int128 more = ceil_div((int128)added * rate, 2 * (int128)AGE_UNIT) + added % 2;
    *places = (struct event_places){.sync = sync,
                                    .n = n,
                                    .segments = calloc(n + 1, sizeof *places->segments),
                                    .hints = calloc(n + 1, sizeof *places->hints),
                                    .early = calloc(n + 1, sizeof *places->early),
                                    .late = calloc(n + 1, sizeof *places->late),
                                    .rate_ppb = rate,
                                    .stamp_ticks = nearest_int64(more)};
    if (!places->segments || !places->hints || !places->early || !places->late) {
        places_free(places);
        return error_memory(error);
    }
    for (uint32_t t = 0; t < n; t++) {
        const struct ageing *ageing = &sync->drift->ageing;
        const struct thread *thread = &sync->survey.threads.items[t];
        int128 span = (int128)thread->max_ticks - thread->min_ticks;
        if (!is_bounded(sync, t)) {
            places->early[t] = places->late[t] = PLACE_NONE;
            continue;
        }
        raise(places, t, thread->min_ticks - span);
        raise(places, t, thread->min_ticks);
        raise(places, t, thread->max_ticks);
        raise(places, t, thread->max_ticks + span);
        for (size_t i = ageing->first_of[t], end = ageing->first_of[t + 1]; i < end; i++) {
            raise(places, t, local_of(sync, t, ageing->sorted[i]));
            if (i + 1 < end)
                raise_between(places, t, ageing->sorted[i], ageing->sorted[i + 1]);
        }
        /* Add 1 tick, because estimates are rounded. */
        places->early[t] = places_sum(places->early[t], 1);
        places->late[t] = places_sum(places->late[t], 1);
    }
    *out = places;
    return CSY_OK;
}
