/* Computes how far clock offsets and events may be from their estimates (moves and places). */
#include "analysis/ranges/moves.h"

#include "base/array.h"
#include "base/error.h"
#include "sync/drift/drift.h"
#include "sync/placement.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* --- Events of drifting clocks --------------------------------------------------------------- */

static int64_t local_of(const csy_sync *sync, size_t clock, uint32_t node)
{
    return (int64_t)(sync->drift->ageing.reading[node] - sync->survey.rough.offset[clock]);
}

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

/* Returns `age`, in 1/AGE_UNIT tick, as whole ticks, rounded down. 64-bit division is faster. */
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
    int128 least = 0, greatest = 0; /* limits of the true global time minus the local time, in
                                     * 1/AGE_UNIT tick */
    *early = *late = PLACE_NONE;
    if (!is_bounded(sync, at->clock))
        return;
    if (!s->found || at->local_ticks < s->from || at->local_ticks >= s->to)
        find_segment(sync, at->clock, at->local_ticks, s);
    /* cannot overflow, because local times of one clock are less than 2^62 ticks apart */
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
    if (!s->has_before && !s->has_after) {
        *early = *late = places->stamp_ticks;
        return;
    }
    int128 age = (int128)at->global_ticks - at->local_ticks;
    *early = places_sum(at_least_0(age - whole_ticks(least)), places->stamp_ticks);
    *late = places_sum(at_least_0(-whole_ticks(-greatest) - age), places->stamp_ticks);
}

void places_limits(struct event_places *places, const csy_sync *sync, const struct moment *at,
                   int64_t added, int128 *lo, int128 *hi)
{
    const csy_thread *thread = &sync->views[at->clock];
    int128 local = (int128)at->global_ticks - thread->offset_ticks;
    bool no_early = thread->earliest_ticks == INT64_MIN,
         no_late = thread->latest_ticks == INT64_MAX;
    *lo = no_early ? INT64_MIN : local + thread->earliest_ticks - added;
    *hi = no_late ? INT64_MAX : local + thread->latest_ticks;
    if (places) {
        int64_t early, late;
        places_at(places, at, &early, &late);
        *lo = early == PLACE_NONE ? INT64_MIN : (int128)at->global_ticks - early - added;
        *hi = late == PLACE_NONE ? INT64_MAX : (int128)at->global_ticks + late;
    }
}

/* --- Times between two clocks --------------------------------------------------------------- */

/* Returns the most reference time, in 1/AGE_UNIT tick, during which a clock counts `by` ticks. */
static int128 most_of(const struct ageing_rate *rate, int128 by)
{
    return by * (AGE_UNIT + (by >= 0 ? rate->greatest : rate->least));
}

/* Find an upper limit of the time from b to a, in ticks. It is based on an event on the clock of a
 * that certainly happened before an event on the clock of b. Returns false if no such events are
 * near. */
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

/* Raise places->early[clock] and places->late[clock] to the greatest limits of any event between
 * the readings a and b of a clock. */
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
    FREE_ALL(places->segments, places->hints, places->early, places->late, places);
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
    /* timestamp errors are in local ticks, which are longer than reference ticks if a clock is
     * slow */
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
        /* one tick more, because estimated times are rounded */
        places->early[t] = places_sum(places->early[t], 1);
        places->late[t] = places_sum(places->late[t], 1);
    }
    *out = places;
    return CSY_OK;
}

/* --- Moves ----------------------------------------------------------------------------------- */

enum { DIRECT_CLOCKS_MAX = 128 };

void csy_sync_set_ranges(csy_sync *sync, csy_ranges ranges)
{
    sync->ranges = (int)ranges;
}

csy_ranges csy_sync_ranges(const csy_sync *sync)
{
    bool bounds = sync->read ? sync->table && sync->method == CSY_METHOD_BHH : sync->bounds.n > 0;
    if (sync->monotonic || !bounds || (sync->drift && sync->read))
        return CSY_RANGES_NONE;
    if (sync->drift && sync->ranges == CSY_RANGES_EXACT)
        return CSY_RANGES_STAR;
    return solution_is_star(sync) && sync->ranges == CSY_RANGES_EXACT ? CSY_RANGES_STAR
                                                                      : (csy_ranges)sync->ranges;
}

void range_widen(csy_range *range, int128 by)
{
    int128 lo = range->lo - by, hi = range->hi + by;
    range->lo = range->lo == INT64_MIN || !fits_int64(lo) ? INT64_MIN : (int64_t)lo;
    range->hi = range->hi == INT64_MAX || !fits_int64(hi) ? INT64_MAX : (int64_t)hi;
}

csy_status moves_init(struct moves *moves, csy_sync *sync, csy_error *error)
{
    *moves = (struct moves){.sync = sync};
    csy_status status = error_check_choice("ranges", sync->ranges, CSY_RANGES_NONE, error);
    if (status)
        return status;
    moves->n = csy_sync_nthreads(sync);
    moves->known = csy_sync_ranges(sync) != CSY_RANGES_NONE;
    moves->star = csy_sync_ranges(sync) == CSY_RANGES_STAR;
    moves->neighbours = moves->known && !moves->star && sync->imprecision.added_ticks == 0 &&
                        !sync->partial && !sync->trace->partial && sync->dropped.count == 0;
    if (moves->n <= DIRECT_CLOCKS_MAX) {
        moves->slots = calloc(moves->n * moves->n + 1, sizeof *moves->slots);
        if (!moves->slots)
            return error_memory(error);
    }
    status = places_new(sync, &moves->places, error);
    if (status)
        moves_fini(moves);
    return status;
}

void moves_fini(struct moves *moves)
{
    keys_fini(&moves->keys);
    places_free(moves->places);
    FREE_ALL(moves->arcs, moves->slots);
    *moves = (struct moves){0};
}

bool moves_limit(struct moves *moves, uint32_t s, uint32_t t, int64_t slack)
{
    uint32_t *slot = moves->slots ? &moves->slots[s * moves->n + t] : NULL, index = 0;
    bool added = slot && *slot == 0;
    if (!ARRAY_RESERVE(moves->arcs, moves->narcs_capacity, moves->narcs + 1) ||
        (!slot && !keys_find(&moves->keys, keys_pair(s, t), &index, &added)))
        return false;
    if (added) {
        moves->arcs[moves->narcs++] = (struct flow_arc){s, t, slack, FLOW_ENDLESS};
        if (slot)
            *slot = (uint32_t)moves->narcs;
        return true;
    }
    struct flow_arc *arc = &moves->arcs[slot ? *slot - 1 : index];
    arc->cost = slack < arc->cost ? slack : arc->cost;
    return true;
}

/* Protects the bounds that a solution caches, because several threads may use one solution. */
static pthread_mutex_t rows_lock = PTHREAD_MUTEX_INITIALIZER;

/* Reset the mutex in a forked child, where no thread exists that could unlock it. */
static void unlock_in_child(void)
{
    pthread_mutex_init(&rows_lock, NULL);
}

__attribute__((constructor)) static void watch_forks(void)
{
    (void)pthread_atfork(NULL, NULL, unlock_in_child);
}

static csy_status bound_between(const struct moves *moves, size_t s, size_t t, int64_t *there,
                                int64_t *back, csy_error *error)
{
    int64_t lower, upper;
    const csy_thread *views = moves->sync->views;
    pthread_mutex_lock(&rows_lock);
    csy_status status = csy_sync_bounds(moves->sync, s, t, &lower, &upper, NULL, error);
    pthread_mutex_unlock(&rows_lock);
    int128 estimate = (int128)views[s].offset_ticks - views[t].offset_ticks;
    if (status)
        return status;
    int128 up = upper - estimate, down = estimate - lower;
    *there = upper == INT64_MAX || !fits_int64(up) ? MOVES_NONE : (int64_t)up;
    *back = lower == INT64_MIN || !fits_int64(down) ? MOVES_NONE : (int64_t)down;
    return CSY_OK;
}

csy_status moves_between(const struct moves *moves, size_t s, size_t t, int64_t *there,
                         int64_t *back, csy_error *error)
{
    size_t tau = moves->sync->reference;
    int64_t from_s = 0, to_s = 0, from_t = 0, to_t = 0;
    csy_status status = CSY_OK;
    if (moves->places) {
        *there = places_sum(moves->places->late[s], moves->places->early[t]);
        *back = places_sum(moves->places->late[t], moves->places->early[s]);
        return CSY_OK;
    }
    if (!moves->star)
        return bound_between(moves, s, t, there, back, error);
    if (s != tau)
        status = bound_between(moves, tau, s, &from_s, &to_s, error);
    if (!status && t != tau)
        status = bound_between(moves, tau, t, &from_t, &to_t, error);
    *there = places_sum(to_s, from_t);
    *back = places_sum(to_t, from_s);
    return status;
}

csy_status moves_apart(const struct moves *moves, const struct moment *begin,
                       const struct moment *end, int64_t *less, int64_t *more, csy_error *error)
{
    csy_status status = CSY_OK;
    *less = *more = 0;
    if (moves->places)
        places_apart(moves->places, begin, end, less, more);
    else if (begin->clock != end->clock)
        status = moves_between(moves, end->clock, begin->clock, more, less, error);
    return status;
}

csy_status moves_limit_time(const struct moves *moves, const struct moment *begin,
                            const struct moment *end, int64_t added, csy_range *range,
                            csy_error *error)
{
    int64_t less, more;
    csy_status status = moves_apart(moves, begin, end, &less, &more, error);
    int128 lo = (int128)range->estimate - less - added, hi = (int128)range->estimate + more + added;
    range->lo = less == MOVES_NONE || !fits_int64(lo) ? INT64_MIN : (int64_t)lo;
    range->hi = more == MOVES_NONE || !fits_int64(hi) ? INT64_MAX : (int64_t)hi;
    return status;
}

/* Returns true if each of two clocks has a record before the last record of the other clock. */
static bool live_together(const struct moves *moves, size_t s, size_t t)
{
    const struct threads *threads = solution_lives(moves->sync);
    if (moves->sync->partial || moves->sync->trace->partial || !threads)
        return true;
    const struct thread *a = &threads->items[s], *b = &threads->items[t];
    return a->first_record < b->last_record && b->first_record < a->last_record;
}

csy_status moves_finish(struct moves *moves, csy_error *error)
{
    csy_status status = CSY_OK;
    if (!moves->known || moves->neighbours || moves->places)
        return CSY_OK;
    for (size_t s = 0; !status && s < moves->n; s++)
        for (size_t t = s + 1; !status && t < moves->n; t++) {
            int64_t there, back;
            size_t tau = moves->sync->reference;
            if (!live_together(moves, s, t) || (moves->star && s != tau && t != tau))
                continue;
            status = moves_between(moves, s, t, &there, &back, error);
            if (status)
                return status;
            if ((there < MOVES_NONE && !moves_limit(moves, (uint32_t)s, (uint32_t)t, there)) ||
                (back < MOVES_NONE && !moves_limit(moves, (uint32_t)t, (uint32_t)s, back)))
                return error_memory(error);
        }
    return status;
}

csy_status moves_greatest(const struct moves *moves, const int64_t *c, const struct flow_arc *more,
                          size_t nmore, int64_t *x, int128 *out, bool *limited, csy_error *error)
{
    struct flow flow;
    struct flow_arc *arcs = moves->arcs;
    struct moves_met *met = moves->met;
    size_t n = moves->n;
    int64_t *room = NULL;
    if (met && met->count < met->most && n > 0) {
        if (!ARRAY_RESERVE(met->items, met->capacity, (met->count + 2) * n))
            return error_memory(error);
        if (met->count == 0) {
            memset(met->items, 0, n * sizeof *met->items);
            met->count = 1;
        }
        room = met->items + met->count * n;
    }
    if (nmore > 0) {
        arcs = malloc((moves->narcs + nmore) * sizeof *arcs);
        if (!arcs)
            return error_memory(error);
        if (moves->narcs > 0)
            memcpy(arcs, moves->arcs, moves->narcs * sizeof *arcs);
        memcpy(arcs + moves->narcs, more, nmore * sizeof *arcs);
    }
    csy_status status = flow_find(c, n, arcs, moves->narcs + nmore, &flow, x ? x : room, error);
    if (nmore > 0)
        free(arcs);
    *limited = !status && flow.possible;
    *out = *limited ? flow.cost : 0;
    if (*limited && room) {
        bool met_before = false;
        if (x)
            memcpy(room, x, n * sizeof *x);
        for (size_t t = n; t-- > 0;)
            room[t] -= room[0];
        for (size_t i = 0; i < met->count && !met_before; i++)
            met_before = memcmp(met->items + i * n, room, n * sizeof *room) == 0;
        met->count += !met_before;
    }
    return status;
}

/* --- Reach ---------------------------------------------------------------------------------  */

csy_status reach_init(struct reach *reach, const struct moves *moves, csy_error *error)
{
    size_t n = moves->n;
    csy_status status = error_check_memory((uint128)n * n * sizeof *reach->matrix, NULL,
                                           "moves of all pairs of clocks", error);
    if (status)
        return status;
    *reach = (struct reach){
        .n = n, .added_ticks = moves->sync->imprecision.added_ticks, .places = moves->places};
    reach->matrix = malloc((n * n + 1) * sizeof *reach->matrix);
    if (!reach->matrix)
        return error_memory(error);
    for (size_t s = 0; s < n; s++) {
        reach->matrix[s * n + s] = 0;
        for (size_t t = s + 1; !status && t < n; t++) {
            int64_t there = REACH_APART, back = REACH_APART;
            if (live_together(moves, s, t))
                status = moves_between(moves, s, t, &there, &back, error);
            reach->matrix[s * n + t] = there;
            reach->matrix[t * n + s] = back;
            reach->greatest = there > reach->greatest ? there : reach->greatest;
            reach->greatest = back > reach->greatest ? back : reach->greatest;
        }
    }
    return status;
}

void reach_fini(struct reach *reach)
{
    free(reach->matrix);
    *reach = (struct reach){0};
}

/* --- Extent --------------------------------------------------------------------------------  */

bool extent_init(struct extent *extent, size_t nclocks)
{
    *extent = (struct extent){calloc(nclocks + 1, sizeof *extent->clocks), nclocks};
    return extent->clocks != NULL;
}

void extent_fini(struct extent *extent)
{
    free(extent->clocks);
    *extent = (struct extent){0};
}

csy_status extent_range(const struct extent *extent, const struct moves *moves,
                        const struct moment *first, const struct moment *last, csy_range *range,
                        csy_error *error)
{
    int128 least = 0, greatest = 0, added = moves->sync->imprecision.added_ticks;
    range->lo = 0;
    range->hi = INT64_MAX;
    if (!moves->known)
        return CSY_OK;
    for (uint32_t s = 0; s < (last ? 1 : extent->n); s++)
        for (uint32_t t = 0; t < (first ? 1 : extent->n); t++) {
            const struct clock_extent *from = &extent->clocks[t], *to = &extent->clocks[s];
            if ((!first && !from->any) || (!last && !to->any))
                continue;
            const struct moment begin =
                first ? *first : (struct moment){from->first_local, from->first_ticks, t};
            const struct moment end =
                last ? *last : (struct moment){to->last_local, to->last_ticks, s};
            int64_t shorter, longer;
            int128 low = 0, high = INT64_MAX;
            if (moves->places && !first && !last && s == t) {
                places_length(moves->places, &begin, &end, &low, &high);
            } else {
                csy_status status = moves_apart(moves, &begin, &end, &shorter, &longer, error);
                if (status)
                    return status;
                low = shorter == MOVES_NONE ? 0 : moments_apart(&begin, &end) - shorter;
                high = longer == MOVES_NONE ? INT64_MAX : moments_apart(&begin, &end) + longer;
            }
            least = low > least ? low : least;
            greatest = high > greatest ? high : greatest;
        }
    least -= added;
    greatest += added;
    range->lo = least > 0 && fits_int64(least) ? (int64_t)least : 0;
    range->hi = fits_int64(greatest) ? (int64_t)greatest : INT64_MAX;
    return CSY_OK;
}
