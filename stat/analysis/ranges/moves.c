/* Computes how far clock offsets may be from their estimates (moves). */
#include "analysis/ranges/moves.h"

#include "base/array.h"
#include "base/error.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

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
    free(moves->arcs);
    free(moves->slots);
    keys_fini(&moves->keys);
    places_free(moves->places);
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

/* Protects cached bounds, because several threads may analyse one solution. */
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

/* Set *there and *back as moves_between does, from the bounds of both clocks. */
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
    int64_t from_s = 0, to_s = 0, from_t = 0, to_t = 0; /* limits against the reference clock */
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

bool moves_live_together(const struct moves *moves, size_t s, size_t t)
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
            if (!moves_live_together(moves, s, t) || (moves->star && s != tau && t != tau))
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
    int64_t *room = NULL; /* temporary memory for moves */
    if (met && met->count < met->most && n > 0) {
        if (!ARRAY_RESERVE(met->items, met->capacity, (met->count + 2) * n))
            return error_memory(error);
        if (met->count == 0) { /* all moves of the first entry are 0 */
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
            if (moves_live_together(moves, s, t))
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
            /* Limit the time from the first record of clock t, or `first`, to the last record of
             * clock s, or `last`. */
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
