/* How long i actors were active, with ranges. */
#include "analysis/levels.h"

#include "base/error.h"

#include <stdlib.h>

enum { SHARE_PARTS = 1000000, SHARE_STEPS = 3, NARROW_ROUNDS = 100, TERMS_MAX = 3 };

csy_units levels_units(const struct instants *in, csy_units units)
{
    for (size_t i = 0; units == CSY_UNITS_AUTO && i < in->actors.count; i++)
        if (actor_is_spe(&in->actors.items[i], in->sync))
            return CSY_UNITS_SPE;
    return units == CSY_UNITS_AUTO ? CSY_UNITS_ACTORS : units;
}

bool levels_counts(const struct instants *in, csy_units units, const struct actor *actor)
{
    return units == CSY_UNITS_ACTORS || actor_is_spe(actor, in->sync) == (units == CSY_UNITS_SPE);
}

/* Where no record is ordered, none can be what a begin becomes. */
static bool take_unordered(struct stairs *stairs, const struct change *change)
{
    return change->sign == 0 || (inversions_take(&stairs->above[0], change) &&
                                 inversions_take(&stairs->below[0], change));
}

static csy_status take(void *user, const struct actor_instant *instant, csy_error *error)
{
    struct levels *levels = user;
    const struct moment *at = &instant->at;
    struct change change = {at->global_ticks, at->clock, instant->actor, 0, instant->ordered};
    bool active = levels->counted[instant->actor] && state_is_active(instant->state);
    bool good = true;
    extent_note(&levels->extent, at->clock, at->global_ticks);
    if (instant->ordered && instant->own)
        good = moves_note(&levels->moves, at->clock, at->global_ticks);
    if (active != levels->active[instant->actor])
        change.sign = active ? 1 : -1;
    levels->active[instant->actor] = active;
    if (change.sign != 0) {
        good = good && majorants_cross(&levels->base, levels->now + (change.sign > 0), &change);
        levels->now += change.sign;
        levels->some_unordered |= !instant->ordered;
    }
    if (levels->ranged && levels->instants->partial)
        good = good && take_unordered(&levels->stairs, &change);
    else if (levels->ranged && (change.sign != 0 || (instant->ordered && instant->own)))
        good = good && stairs_take(&levels->stairs, &change);
    return good ? CSY_OK : error_memory(error);
}

static csy_status begin(struct levels *levels, csy_error *error)
{
    const struct instants *in = levels->instants;
    size_t n = in->actors.count;
    levels->counted = calloc(n + 1, sizeof *levels->counted);
    levels->active = calloc(n + 1, sizeof *levels->active);
    if (!levels->counted || !levels->active)
        return error_memory(error);
    for (size_t i = 0; i < n; i++) {
        levels->counted[i] = levels_counts(in, levels->units, &in->actors.items[i]);
        levels->nactors += levels->counted[i];
    }
    csy_status status = extent_init(&levels->extent, csy_sync_nthreads(in->sync), error);
    if (!status)
        status = moves_init(&levels->moves, in->sync, error);
    levels->ranged = !status && levels->moves.known && levels->moves.n <= REACH_CLOCKS_MAX;
    if (!status)
        status = majorants_init(&levels->base, levels->nactors, levels->moves.n, 1, error);
    if (status || !levels->ranged)
        return status;
    status = reach_init(&levels->reach, &levels->moves, error);
    levels->ranged = !in->partial || levels->reach.greatest < MOVES_NONE;
    if (status || !levels->ranged)
        return status;
    status = stairs_init(&levels->stairs, &levels->reach, levels->nactors, n,
                         in->has_begins && !in->partial, error);
    levels->stairs.above[0].may_give_up = levels->stairs.below[0].may_give_up = in->partial;
    return status;
}

/* The time from the first record to the last, and what is below 0 of it. */
static csy_status make_whole(struct levels *levels, csy_error *error)
{
    const struct moment *first = &levels->instants->first, *last = &levels->instants->last;
    int128 time = (int128)last->global_ticks - first->global_ticks;
    struct majorant *both[] = {&levels->whole, &levels->below_whole};
    for (int i = 0; i < 2; i++) {
        int64_t part = i ? -PARTS : PARTS;
        *both[i] = (struct majorant){.number = part * time,
                                     .c = calloc(levels->moves.n + 1, sizeof *both[i]->c),
                                     .turns = first->clock != last->clock ? 2 : 0};
        if (!both[i]->c)
            return error_memory(error);
        both[i]->c[last->clock] += part;
        both[i]->c[first->clock] -= part;
    }
    return CSY_OK;
}

csy_status levels_init(struct levels *levels, struct instants *in, csy_units units,
                       csy_error *error)
{
    *levels = (struct levels){.instants = in, .units = levels_units(in, units)};
    csy_status status = begin(levels, error);
    if (!status)
        status = instants_merge(in, take, levels, error);
    if (!status && levels->ranged && !stairs_end(&levels->stairs))
        status = error_memory(error);
    levels->ranged =
        levels->ranged && !levels->stairs.above[0].given_up && !levels->stairs.below[0].given_up;
    if (!status)
        status = moves_finish(&levels->moves, error);
    if (!status)
        status = make_whole(levels, error);
    if (status)
        levels_fini(levels);
    return status;
}

void levels_fini(struct levels *levels)
{
    stairs_fini(&levels->stairs);
    reach_fini(&levels->reach);
    moves_fini(&levels->moves);
    majorants_fini(&levels->base);
    free(levels->whole.c);
    free(levels->below_whole.c);
    free(levels->counted);
    free(levels->active);
    extent_fini(&levels->extent);
    *levels = (struct levels){0};
}

/* A combination of times with at least so many active: sum of weight * time, and what is known of
 * its greatest value for one step of the stairs. */
struct term {
    size_t level; /* 0: the whole; above nactors: nothing */
    int64_t weight;
};

static const struct majorant *majorant_of(const struct levels *levels, size_t step,
                                          const struct term *term)
{
    const struct inversions *side =
        term->weight > 0 ? &levels->stairs.above[step] : &levels->stairs.below[step];
    return term->level > levels->nactors ? NULL
           : term->level > 0             ? &side->majorants.levels[term->level - 1]
           : term->weight > 0            ? &levels->whole
                                         : &levels->below_whole;
}

/* The least that is known of the greatest value, of all steps, in 1/256. */
static csy_status bound(const struct levels *levels, const struct term *terms, size_t n,
                        int128 *out, bool *limited, csy_error *error)
{
    csy_status status = CSY_OK;
    *limited = false;
    for (size_t step = 0; !status && step < levels->stairs.nsteps; step++) {
        struct weighted sum[TERMS_MAX];
        int128 value;
        bool is;
        for (size_t i = 0; i < n; i++)
            sum[i] = (struct weighted){majorant_of(levels, step, &terms[i]),
                                       terms[i].weight > 0 ? terms[i].weight : -terms[i].weight};
        status = majorants_greatest(sum, n, &levels->moves, &value, &is, error);
        if (!status && is && (!*limited || value < *out)) {
            *out = value;
            *limited = true;
        }
    }
    return status;
}

/* How good ranges are. */
static csy_range_kind kind_of(const struct levels *levels)
{
    return !levels->ranged                                           ? CSY_RANGE_UNKNOWN
           : levels->moves.star                                      ? CSY_RANGE_STAR
           : levels->some_unordered || levels->reach.added_ticks > 0 ? CSY_RANGE_PROVEN
                                                                     : CSY_RANGE_EXACT;
}

/* The range of a sum of times, of which the estimate is known; it has no weights below 0 but of
 * later terms. */
static csy_status range_of(const struct levels *levels, struct term *terms, size_t n,
                           csy_range *range, csy_error *error)
{
    int128 value = 0, ticks;
    bool limited;
    range->kind = kind_of(levels);
    if (!levels->ranged)
        return CSY_OK;
    csy_status status = bound(levels, terms, n, &value, &limited, error);
    ticks = ceil_div(value, PARTS);
    range->hi = limited && fits_int64(ticks) ? (int64_t)ticks : INT64_MAX;
    for (size_t i = 0; i < n; i++)
        terms[i].weight = -terms[i].weight;
    if (!status)
        status = bound(levels, terms, n, &value, &limited, error);
    ticks = -ceil_div(value, PARTS);
    range->lo = limited && fits_int64(ticks) ? (int64_t)ticks : INT64_MIN;
    return status;
}

static csy_status estimate(const struct levels *levels, csy_range *at_least, csy_range *exactly,
                           csy_error *error)
{
    int128 above = 0;
    for (size_t i = levels->nactors + 1; i-- > 0;) {
        int128 time = (i ? levels->base.levels[i - 1].number : levels->whole.number) / PARTS;
        if (!fits_int64(time) || !fits_int64(time - above))
            return error_set(error, CSY_INPUT, "a time leaves 64 bits");
        at_least[i] = (csy_range){.estimate = (int64_t)time};
        exactly[i] = (csy_range){.estimate = (int64_t)(time - above)};
        above = time;
    }
    return CSY_OK;
}

/* Narrow a range; whether that did anything. */
static bool narrow(csy_range *range, int128 least, int128 greatest)
{
    bool low = least > range->lo, high = greatest < range->hi;
    if (low)
        range->lo = (int64_t)least;
    if (high)
        range->hi = (int64_t)greatest;
    return low || high;
}

/* What differences of times with at least so many leave of those with exactly so many, and times
 * with more of those with fewer. */
static void narrow_levels(const struct levels *levels, csy_range *at_least, csy_range *exactly)
{
    size_t n = levels->nactors;
    for (size_t i = 1; i <= n; i++)
        narrow(&at_least[i], 0, at_least[i - 1].hi);
    for (size_t i = n; i-- > 0;)
        narrow(&at_least[i], at_least[i + 1].lo, INT64_MAX);
    for (size_t i = 0; i <= n; i++) {
        int64_t least = i < n ? at_least[i + 1].lo : 0;
        int64_t greatest = i < n ? at_least[i + 1].hi : 0;
        narrow(&exactly[i], 0, INT64_MAX);
        narrow(&exactly[i], (int128)at_least[i].lo - greatest, (int128)at_least[i].hi - least);
    }
}

/* One round of: each term of a sum that is known is what the others leave of it. */
static bool narrow_sum(csy_range *terms, size_t n, bool weighted, int128 sum)
{
    int128 least = 0, greatest = 0;
    bool moved = false;
    for (size_t i = 0; i <= n; i++) {
        int128 weight = weighted ? (int128)i : 1;
        least += weight * terms[i].lo;
        greatest += weight * terms[i].hi;
    }
    for (size_t i = weighted ? 1 : 0; i <= n; i++) {
        int128 weight = weighted ? (int128)i : 1;
        int128 others_least = least - weight * terms[i].lo;
        int128 others_greatest = greatest - weight * terms[i].hi;
        moved |= narrow(&terms[i], ceil_div(sum - others_greatest, weight),
                        floor_div(sum - others_least, weight));
        least = others_least + weight * terms[i].lo;
        greatest = others_greatest + weight * terms[i].hi;
    }
    return moved;
}

csy_status levels_active(const struct levels *levels, csy_range *active, csy_error *error)
{
    struct majorant sum = {0}, below = {0};
    int128 up, down;
    bool limited[2] = {false, false};
    csy_status status = CSY_OK;
    size_t nclocks = levels->moves.n;
    sum.c = calloc(nclocks + 1, sizeof *sum.c);
    below.c = calloc(nclocks + 1, sizeof *below.c);
    if (!sum.c || !below.c) {
        free(sum.c);
        free(below.c);
        return error_memory(error);
    }
    bool one_clock = !levels->instants->sync->drift; /* else its time is not global time */
    for (size_t i = 0; i < levels->nactors; i++) {
        const struct majorant *m = &levels->base.levels[i];
        sum.number += m->number;
        for (size_t t = 0; m->c && t < nclocks; t++)
            sum.c[t] += m->c[t];
    }
    for (size_t t = 0; t < nclocks; t++) {
        below.c[t] = -sum.c[t];
        one_clock = one_clock && sum.c[t] == 0;
    }
    int128 estimate = sum.number / PARTS;
    *active = (csy_range){.estimate = (int64_t)estimate};
    active->lo = active->hi = active->estimate;
    if (!fits_int64(estimate))
        status = error_set(error, CSY_INPUT, "a time leaves 64 bits");
    if (!one_clock) {
        struct weighted above = {&sum, 1}, under = {&below, 1};
        below.number = -sum.number;
        active->kind = CSY_RANGE_UNKNOWN;
        if (!status && levels->ranged)
            status = majorants_greatest(&above, 1, &levels->moves, &up, &limited[0], error);
        if (!status && levels->ranged)
            status = majorants_greatest(&under, 1, &levels->moves, &down, &limited[1], error);
        if (!status && levels->ranged) {
            active->hi = limited[0] ? (int64_t)ceil_div(up, PARTS) : INT64_MAX;
            active->lo = limited[1] ? (int64_t)-ceil_div(down, PARTS) : INT64_MIN;
            active->kind = levels->moves.star              ? CSY_RANGE_STAR
                           : levels->reach.added_ticks > 0 ? CSY_RANGE_PROVEN
                                                           : CSY_RANGE_EXACT;
        }
    }
    free(sum.c);
    free(below.c);
    return status;
}

/* Of the time from the first record to the last. */
static bool is_by_one_clock(const struct levels *levels)
{
    const struct instants *in = levels->instants;
    return !in->sync->drift && in->first.clock == in->last.clock &&
           (!in->partial || levels->moves.n == 1);
}

/* Sums that hold at all offsets: of all times, and of all times by their levels. */
static csy_status narrow_by_sums(const struct levels *levels, csy_range *at_least,
                                 csy_range *exactly, csy_error *error)
{
    csy_range active;
    size_t n = levels->nactors;
    csy_status status = levels_active(levels, &active, error);
    bool one_clock = is_by_one_clock(levels);
    for (size_t i = 0; i <= n; i++)
        if (exactly[i].hi == INT64_MAX || exactly[i].lo == INT64_MIN)
            return status;
    for (int round = 0; !status && round < NARROW_ROUNDS; round++) {
        bool moved = one_clock && narrow_sum(exactly, n, false, at_least[0].estimate);
        if (active.kind == CSY_RANGE_CLOCK)
            moved |= narrow_sum(exactly, n, true, active.estimate);
        if (!moved)
            break;
    }
    return status;
}

csy_status levels_ranges(const struct levels *levels, csy_range *at_least, csy_range *exactly,
                         csy_error *error)
{
    size_t n = levels->nactors;
    bool one_clock = is_by_one_clock(levels), partial = levels->instants->partial;
    csy_status status = estimate(levels, at_least, exactly, error);
    if (!status && partial) {
        at_least[0].kind = exactly[0].kind = kind_of(levels);
        exactly[0].hi = INT64_MAX;
        status = extent_range(&levels->extent, &levels->moves, &at_least[0], error);
    }
    for (size_t i = partial; !status && i <= n; i++) {
        struct term term[] = {{i, 1}, {i + 1, -1}};
        status = range_of(levels, term, 1, &at_least[i], error);
        term[0].weight = 1;
        if (!status)
            status = range_of(levels, term, 2, &exactly[i], error);
    }
    if (!status && levels->ranged) {
        /* The first stamp and the last are off, too. */
        at_least[0].lo -= one_clock ? levels->reach.added_ticks : 0;
        at_least[0].hi += one_clock ? levels->reach.added_ticks : 0;
        narrow_levels(levels, at_least, exactly);
        if (levels->reach.added_ticks == 0)
            status = narrow_by_sums(levels, at_least, exactly, error);
    }
    if (one_clock) {
        at_least[0].lo = at_least[0].hi = at_least[0].estimate;
        at_least[0].kind = CSY_RANGE_CLOCK;
    }
    return status;
}

/* The greatest share, or with sign -1 below the least one: where the root is of what is left of the
 * time of it, which goes down with it at the rate of the whole time. */
static csy_status find_share(const struct levels *levels, size_t i, int sign, int64_t begin,
                             const csy_range *whole, int128 *out, csy_error *error)
{
    int128 share = (int128)sign * begin;
    csy_status status = CSY_OK;
    *out = sign > 0 ? SHARE_PARTS : 0;
    for (int step = 0; !status && step < SHARE_STEPS; step++) {
        int64_t at = (int64_t)(sign * share);
        struct term terms[] = {{i, sign * (int64_t)SHARE_PARTS},
                               {i + 1, -sign * (int64_t)SHARE_PARTS},
                               {1, -sign * at}};
        int128 value;
        bool limited;
        if (i == 1) {
            terms[0].weight += terms[2].weight;
            terms[2].level = levels->nactors + 1;
        }
        status = bound(levels, terms, 3, &value, &limited, error);
        if (status || !limited)
            break;
        int128 rate = (int128)PARTS * (value > 0 ? whole->lo : whole->hi);
        int128 next = share + ceil_div(value, rate);
        bool better = sign * next < sign * *out || step == 0;
        if (better)
            *out = sign * next;
        if (!better || next == share || next * sign < 0 || next * sign > SHARE_PARTS)
            break;
        share = next;
    }
    return status;
}

csy_status levels_share(const struct levels *levels, size_t i, const csy_range *at_least,
                        const csy_range *exactly, csy_range *share, csy_error *error)
{
    const csy_range *whole = &at_least[1], *part = &exactly[i];
    int128 estimate = (int128)part->estimate * SHARE_PARTS / whole->estimate, least, greatest;
    *share = (csy_range){.estimate = (int64_t)estimate, .kind = kind_of(levels)};
    if (!levels->ranged)
        return CSY_OK;
    share->hi = SHARE_PARTS;
    if (whole->lo <= 0 || whole->hi == INT64_MAX)
        return CSY_OK;
    narrow(share, floor_div((int128)part->lo * SHARE_PARTS, whole->hi),
           ceil_div((int128)part->hi * SHARE_PARTS, whole->lo));
    csy_status status = find_share(levels, i, 1, share->estimate, whole, &greatest, error);
    if (!status)
        status = find_share(levels, i, -1, share->estimate, whole, &least, error);
    if (!status)
        narrow(share, least, greatest);
    return status;
}
