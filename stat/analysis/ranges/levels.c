/* Computes for how long each number of actors was active, with ranges. */
#include "analysis/ranges/levels.h"

#include "base/array.h"
#include "base/error.h"

#include <stdlib.h>

/* --- Levels: each change goes to the blocks that it affects ---------------------------------- */

enum { NEAR = 8 };

csy_units levels_units(const struct instants *in, csy_units units, const char *names)
{
    for (size_t i = 0; units == CSY_UNITS_AUTO && i < in->actors.count; i++)
        if (levels_means(in, CSY_UNITS_SPE, names, &in->actors.items[i]))
            return CSY_UNITS_SPE;
    return units == CSY_UNITS_AUTO ? CSY_UNITS_ACTORS : units;
}

csy_status levels_check_units(const struct instants *in, csy_units units, csy_error *error)
{
    return units != CSY_UNITS_CPU || in->actors.told
               ? CSY_OK
               : error_set(error, CSY_USAGE,
                           "%s: the trace has no events that show when a thread has a core; record "
                           "them with celltrace -e switches",
                           in->sync->trace->name);
}

bool levels_counts(const struct instants *in, csy_units units, const struct actor *actor)
{
    return units == CSY_UNITS_ACTORS ||
           (units == CSY_UNITS_CPU ? actor->kind != ACTOR_SPE
                                   : actor_is_spe(actor, in->sync) == (units == CSY_UNITS_SPE));
}

bool levels_means(const struct instants *in, csy_units units, const char *names,
                  const struct actor *actor)
{
    return levels_counts(in, units, actor) && (!names || actor_fits(actor, in->sync, names));
}

size_t levels_block_bytes(size_t nactors, size_t nclocks)
{
    enum { HEAP_BYTES = 24 }; /* overhead of an allocation, in bytes */
    size_t level = sizeof(struct upper_sum) + nclocks * sizeof(int64_t) + HEAP_BYTES;
    return (nactors + 2) * level * (nclocks > 1 ? 1 + MOVED_BEGINS_SIDES : 1);
}

static bool give(struct levels *levels, const struct change *change, int64_t active)
{
    bool counts = !levels->bounded || levels->place == BLOCK_OPEN;
    if (!upper_sums_take(&levels->base, active, counts, change))
        return false;
    levels->some_unordered |= change_matters(change) && !change->ordered;
    if (!levels->ranged)
        return true;
    if (levels->moved_begins.nsteps > 1)
        return moved_begins_take(&levels->moved_begins, change);
    return !change_matters(change) ||
           (swaps_take(&levels->moved_begins.sides[0], change) &&
            swaps_take(&levels->moved_begins.sides[MOVED_BEGINS], change));
}

/* Allocate the memory of a block, which is only done when its begin is near. Functions in this file
 * that return bool return false if out of memory, unless stated otherwise. */
static bool wake(struct levels *levels, int64_t active)
{
    const struct levels_run *run = levels->run;
    const struct instants *in = run->instants;
    bool good = upper_sums_init(&levels->base, run->nactors, run->moves.n, 1);
    levels->ranged = run->ranged;
    levels->place = levels->bounded && levels->block.first.open ? BLOCK_OPEN : BLOCK_NEAR;
    levels->changes_alone = !levels->bounded && !levels->ranged;
    if (run->sample_ticks > 0) {
        levels->samples = calloc(run->nactors + 1, sizeof *levels->samples);
        good = good && levels->samples;
    }
    if (!good || !levels->ranged)
        return good;
    bool some = (in->has_begins || levels->bounded) && !in->partial && !run->moves.places;
    good = moved_begins_init(&levels->moved_begins, &run->reach, run->nactors, in->actors.count,
                             some, in->sync->trace->workers);
    levels->changes_alone = !levels->bounded && levels->moved_begins.nsteps == 1;
    for (size_t i = 0; i < MOVED_BEGINS_SIDES; i++) {
        struct swaps *side = &levels->moved_begins.sides[i];
        side->may_give_up = in->partial;
        side->given_up = run->outer_only || run->moves.places;
        side->active = active;
        side->counts = !levels->bounded || levels->place == BLOCK_OPEN;
    }
    return good;
}

static bool open_or_close(struct levels *levels, int edge, int64_t active, const struct moment *now)
{
    struct block_end *end = edge > 0 ? &levels->block.first : &levels->block.last;
    if (end->snaps)
        end->at = *now;
    bool ordered = (end->snaps || end->record != CSY_NO_RECORD) && !levels->run->instants->partial;
    struct change change = change_at(&end->at, NO_ACTOR, 0, ordered);
    change.edge = edge;
    bool good = give(levels, &change, active);
    levels->place = edge > 0 ? BLOCK_OPEN : BLOCK_CLOSED;
    return good;
}

/* `closing` is true for the end of a block. The records at both ends belong to the block. */
static bool has_come(const struct levels *levels, const struct block_end *end,
                     const struct actor_instant *instant, bool closing)
{
    if (end->open)
        return !closing;
    if (end->snaps && !(instant->is_record && instant->own))
        return false;
    if (end->record == CSY_NO_RECORD)
        return instant->at.global_ticks >= end->at.global_ticks;
    if (instant->is_record)
        return closing ? instant->record > end->record : instant->record >= end->record;
    return closing && levels->run->nrecords > end->record &&
           instant->at.global_ticks > end->at.global_ticks;
}

static bool finish(struct levels *levels)
{
    bool good = !levels->ranged || moved_begins_end(&levels->moved_begins);
    levels->place = BLOCK_DONE;
    levels->given_up = levels->ranged && (levels->moved_begins.sides[0].given_up ||
                                          levels->moved_begins.sides[MOVED_BEGINS].given_up);
    if (levels->moved_begins.nsteps > 0)
        moved_begins_rest(&levels->moved_begins);
    return good;
}

/* Returns true if two events that are `ticks` apart cannot have happened in the other order. */
static bool is_far(const struct levels *levels, int64_t ticks)
{
    const struct reach *reach = &levels->run->reach;
    return ticks > NEAR * ((int128)reach->greatest + 2 * (int128)reach->added_ticks + 1);
}

/* `active` is the number of actors that were active before the instant. */
static bool take_block(struct levels *levels, const struct actor_instant *instant,
                       const struct change *change, int64_t active)
{
    int128 until = (int128)levels->block.first.at.global_ticks - instant->at.global_ticks;
    int128 since = (int128)instant->at.global_ticks - levels->block.last.at.global_ticks;
    bool record = instant->is_record && instant->own, good = true;
    if (levels->place == BLOCK_AHEAD) {
        bool begins = !levels->bounded || has_come(levels, &levels->block.first, instant, false);
        if (!begins && (!record || (fits_int64(until) && is_far(levels, (int64_t)until))))
            return true;
        good = wake(levels, active);
    }
    if (good && levels->place == BLOCK_NEAR && levels->bounded &&
        has_come(levels, &levels->block.first, instant, false))
        good = open_or_close(levels, 1, active, &instant->at);
    if (good && levels->place == BLOCK_OPEN && levels->bounded &&
        has_come(levels, &levels->block.last, instant, true))
        good = open_or_close(levels, -1, active, &instant->at);
    if (good && (change->sign || record))
        good = give(levels, change, active);
    if (good && levels->place == BLOCK_CLOSED &&
        (!levels->ranged || (fits_int64(since) && is_far(levels, (int64_t)since))))
        good = finish(levels);
    return good;
}

bool levels_find_active(const struct levels_run *run, const struct actor_instant *instant,
                        bool *active)
{
    uint32_t group;
    *active = run->counted[instant->actor] &&
              (run->units == CSY_UNITS_CPU ? instant->has_core : state_is_active(instant->state));
    if (!run->groups || !*active)
        return true;
    bool good = site_groups_of(run->groups, instant->actor, instant->unit, &group);
    *active = good && group == run->group;
    return good;
}

csy_status levels_take(void *user, const struct actor_instant *instant, csy_error *error)
{
    struct levels_run *run = user;
    const struct moment *at = &instant->at;
    bool active;
    if (!levels_find_active(run, instant, &active))
        return error_memory(error);
    const int64_t ticks = run->sample_ticks;
    if (ticks > 0 && run->next_sample < at->global_ticks) {
        int128 last =
            run->next_sample + ((int128)at->global_ticks - 1 - run->next_sample) / ticks * ticks;
        for (size_t i = run->first_block; i < run->nblocks; i++) {
            struct levels *levels = &run->blocks[i];
            int128 from = run->next_sample, to = last;
            if (!levels->samples)
                continue;
            if (levels->bounded) {
                int128 late = (int128)levels->block.first.at.global_ticks - from;
                int128 early = to - (levels->block.last.at.global_ticks - 1);
                from += late > 0 ? ceil_div(late, ticks) * ticks : 0;
                to -= early > 0 ? ceil_div(early, ticks) * ticks : 0;
            }
            if (to >= from)
                levels->samples[run->now] += (uint64_t)((to - from) / ticks) + 1;
        }
        run->next_sample = last + ticks;
    }
    if (run->instants->partial && instant->is_record)
        extent_note(&run->extent, at);
    if (instant->ordered && instant->own && !moves_note(&run->moves, at->clock, at->global_ticks))
        return error_memory(error);
    bool *was = &run->active[instant->actor];
    int sign = (int)active - (int)*was;
    if (sign == 0 && run->blocks->changes_alone)
        return CSY_OK;
    *was = active;
    struct active_own *own = &run->own;
    if (own->since && sign > 0)
        own->since[instant->actor] = *at;
    if (own->since && sign < 0) {
        const struct moment *since = &own->since[instant->actor];
        int128 time = moments_apart(since, at);
        own->crosses |= since->clock != at->clock;
        own->ticks += time;
        own->size += time < 0 ? -time : time;
        own->times++;
    }
    const struct change change = change_at(at, instant->actor, sign, instant->ordered);
    bool good = levels_outer_take(&run->outer, &change);
    for (size_t i = run->first_block; good && i < run->nblocks; i++) {
        struct levels *levels = &run->blocks[i];
        if (levels->place != BLOCK_DONE)
            good = take_block(levels, instant, &change, run->now);
        else if (i == run->first_block)
            run->first_block++;
        if (levels->place == BLOCK_AHEAD)
            break; /* blocks are sorted by begin */
    }
    run->now += sign;
    if (instant->is_record)
        run->nrecords = instant->record + 1;
    return good ? CSY_OK : error_memory(error);
}

static csy_status make_whole(struct levels *levels, csy_error *error)
{
    const struct moment *first = &levels->block.first.at, *last = &levels->block.last.at;
    int128 time = (int128)last->global_ticks - first->global_ticks;
    struct upper_sum *both[] = {&levels->whole, &levels->below_whole};
    for (int i = 0; i < 2; i++) {
        int64_t part = i ? -PARTS : PARTS;
        *both[i] = (struct upper_sum){.number = part * time,
                                      .c = calloc(levels->run->moves.n + 1, sizeof *both[i]->c),
                                      .turns = 2};
        if (!both[i]->c)
            return error_memory(error);
        both[i]->c[last->clock] += part;
        both[i]->c[first->clock] -= part;
    }
    if (!levels->run->moves.places)
        return CSY_OK;
    int64_t less, more;
    csy_status status = moves_apart(&levels->run->moves, first, last, &less, &more, error);
    time = moments_apart(first, last);
    levels->ranged = levels->ranged && less != MOVES_NONE && more != MOVES_NONE;
    levels->whole_most = (struct upper_sum){.number = PARTS * (time + more), .turns = 2};
    levels->whole_least = (struct upper_sum){.number = -PARTS * (time - less), .turns = 2};
    return status;
}

csy_status levels_begin(struct levels_run *run, struct instants *in, const csy_concurrency *asked,
                        const struct block *blocks, size_t nblocks, struct site_groups *groups,
                        uint32_t group, csy_error *error)
{
    *run = (struct levels_run){.instants = in,
                               .units = levels_units(in, asked->units, asked->actors),
                               .names = asked->actors,
                               .groups = groups,
                               .group = group,
                               .sample_ticks = asked->sample_ticks,
                               .next_sample = in->first.global_ticks};
    size_t n = in->actors.count;
    run->counted = calloc(n + 1, sizeof *run->counted);
    run->active = calloc(n + 1, sizeof *run->active);
    run->nblocks = nblocks ? nblocks : 1;
    run->blocks = calloc(run->nblocks, sizeof *run->blocks);
    if (!run->counted || !run->active || !run->blocks)
        return error_memory(error);
    for (size_t i = 0; i < run->nblocks; i++) {
        struct levels *levels = &run->blocks[i];
        levels->run = run;
        levels->bounded = nblocks > 0;
        levels->block = nblocks ? blocks[i]
                                : (struct block){{.at = in->first, .record = CSY_NO_RECORD},
                                                 {.at = in->last, .record = CSY_NO_RECORD}};
    }
    if (run->groups && !site_groups_members(run->groups, run->group, run->counted))
        return error_memory(error);
    for (size_t i = 0; i < n; i++) {
        run->counted[i] = (!run->groups || run->counted[i]) &&
                          levels_means(in, run->units, run->names, &in->actors.items[i]);
        run->nactors += run->counted[i];
    }
    if (!extent_init(&run->extent, csy_sync_nthreads(in->sync)))
        return error_memory(error);
    csy_status status = moves_init(&run->moves, in->sync, error);
    if (!status && run->moves.places) {
        run->own.since = calloc(n + 1, sizeof *run->own.since);
        if (!run->own.since)
            return error_memory(error);
    }
    run->one_clock = !status && run->moves.n == 1 && !in->sync->drift;
    run->ranged =
        !status && run->moves.known && run->moves.n <= REACH_CLOCKS_MAX && !run->one_clock;
    if (status || !run->ranged)
        return status;
    status = reach_init(&run->reach, &run->moves, error);
    bool outer = in->partial || run->moves.places;
    run->ranged = !outer || run->reach.greatest < MOVES_NONE;
    if (status || !outer || !run->ranged)
        return status;
    if (!levels_outer_init(&run->outer, &run->reach, in->sync, in->actors.count, run->nactors,
                           run->nblocks))
        return error_memory(error);
    for (size_t i = 0; run->outer.sweep.known && i < run->nblocks; i++) {
        const struct block_end *first = &run->blocks[i].block.first;
        const struct block_end *last = &run->blocks[i].block.last;
        if (run->blocks[i].bounded)
            levels_outer_bound(&run->outer, i, first->open ? NULL : &first->at,
                               last->open ? NULL : &last->at);
    }
    return CSY_OK;
}

csy_status levels_end(struct levels_run *run, csy_error *error)
{
    bool good = true;
    for (size_t i = 0; good && i < run->nblocks; i++) {
        struct levels *levels = &run->blocks[i];
        if (levels->place == BLOCK_AHEAD)
            good = wake(levels, run->now);
        if (good && levels->bounded && levels->place == BLOCK_NEAR)
            good = open_or_close(levels, 1, run->now, &run->instants->last);
        if (good && levels->bounded && levels->place == BLOCK_OPEN && !levels->block.last.open)
            good = open_or_close(levels, -1, run->now, &run->instants->last);
        if (good && levels->place != BLOCK_DONE)
            good = finish(levels);
    }
    good = good && outer_end(&run->outer.sweep);
    for (size_t i = 0; good && i < run->nblocks; i++) {
        struct levels *levels = &run->blocks[i];
        if (!levels->given_up)
            continue;
        levels->ranged = run->outer.sweep.known;
        levels->some_unordered = true;
        if (levels->ranged)
            good = levels_outer_fill(&run->outer, i, &levels->moved_begins.sides[0].sums,
                                     &levels->moved_begins.sides[MOVED_BEGINS].sums);
    }
    csy_status status = good ? moves_finish(&run->moves, error) : error_memory(error);
    struct moves *moves = &run->moves;
    if (!status && run->ranged && moves->neighbours) {
        size_t kept = 0;
        for (size_t i = 0; i < moves->narcs; i++) {
            const struct flow_arc *arc = &moves->arcs[i];
            int64_t most = reach_of(&run->reach, arc->from, arc->to);
            if (most == REACH_APART || arc->cost <= most)
                moves->arcs[kept++] = *arc;
        }
        moves->narcs = kept;
    }
    for (size_t i = 0; !status && i < run->nblocks; i++)
        status = make_whole(&run->blocks[i], error);
    return status;
}

void levels_fini(struct levels_run *run)
{
    for (size_t i = 0; run->blocks && i < run->nblocks; i++) {
        struct levels *levels = &run->blocks[i];
        moved_begins_fini(&levels->moved_begins);
        upper_sums_fini(&levels->base);
        FREE_ALL(levels->whole.c, levels->below_whole.c, levels->samples);
    }
    free(run->blocks);
    levels_outer_fini(&run->outer);
    reach_fini(&run->reach);
    moves_fini(&run->moves);
    extent_fini(&run->extent);
    FREE_ALL(run->own.since, run->counted, run->active);
    *run = (struct levels_run){0};
}

/* --- Ratios ----------------------------------------------------------------------------------- */

/* Finds the greatest and the least ratio of two times. Both times are linear functions of the clock
 * offsets. */

enum { ROUNDS_MAX = 64 };

/* The sum of all |c[t]| must not exceed this limit, which prevents overflows in moves_greatest. */
#define SUPPLY_MAX ((int128)1 << 60)

static int128 value_at(const struct ratio_sum *sum, const int64_t *x, size_t nclocks)
{
    int128 value = sum->ticks;
    for (size_t t = 0; t < nclocks; t++)
        value += (int128)sum->c[t] * x[t];
    return value;
}

/* Compute the coefficients c[] of sign * (factors->whole * part - factors->part * whole). Returns
 * false if they are too large. */
static bool combine(const struct ratio_sum *part, const struct ratio_sum *whole,
                    const struct ratio *factors, int sign, int64_t *c, size_t nclocks)
{
    int128 sum = 0;
    if (factors->part > SUPPLY_MAX || factors->whole > SUPPLY_MAX)
        return false;
    for (size_t t = 0; t < nclocks; t++) {
        int128 supply = factors->whole * part->c[t] - factors->part * whole->c[t];
        sum += supply < 0 ? -supply : supply;
        if (sum > SUPPLY_MAX)
            return false;
        c[t] = (int64_t)(sign * supply);
    }
    return true;
}

/* Find the greatest (sign 1) or least (sign -1) value of part / whole. Both depend on clock
 * offsets, which may have all possible values. `part` must be at least 0, and `whole` above 0. If
 * there is no limit, or numbers get too large, *attained becomes false, and *out must not be used.
 * Method: W. Dinkelbach, On nonlinear fractional programming, Management Science 13, 1967. */
static csy_status ratio_find(const struct moves *moves, const struct ratio_sum *part,
                             const struct ratio_sum *whole, int sign, struct ratio *out,
                             bool *attained, csy_error *error)
{
    size_t n = moves->n;
    int64_t *c = malloc((n + 1) * sizeof *c), *x = calloc(n + 1, sizeof *x);
    csy_status status = c && x ? CSY_OK : error_memory(error);
    *attained = false;
    for (int round = 0; !status && !*attained && round < ROUNDS_MAX; round++) {
        int128 more;
        bool limited;
        *out = (struct ratio){value_at(part, x, n), value_at(whole, x, n)};
        if (out->part < 0 || out->whole <= 0)
            break;
        int128 divisor = (int128)common_divisor((uint128)out->part, (uint128)out->whole);
        struct ratio factors = {out->part / divisor, out->whole / divisor};
        if (!combine(part, whole, &factors, sign, c, n))
            break;
        status = moves_greatest(moves, c, NULL, 0, x, &more, &limited, error);
        if (status || !limited)
            break;
        more += sign * (factors.whole * part->ticks - factors.part * whole->ticks);
        *attained = more <= 0;
    }
    FREE_ALL(c, x);
    return status;
}

/* --- How long i actors were active, with ranges ----------------------------------------------- */

enum { SHARE_PARTS = 1000000, SHARE_STEPS = 3, NARROW_ROUNDS = 100, TERMS_MAX = 3 };

/* value of term.level for the sum of the active times of all actors */
#define ALL_ACTIVE SIZE_MAX

/* A term of a sum of times: the time with at least `level` active actors, multiplied by
 * `weight`. */
struct term {
    size_t level; /* 0 means the length of the block; above nactors, the time is 0 */
    int64_t weight;
};

static const struct upper_sum *upper_sum_of(const struct levels *levels, size_t step,
                                            const struct term *term)
{
    if (term->level == 0 && levels->run->moves.places)
        return term->weight > 0 ? &levels->whole_most : &levels->whole_least;
    const struct swaps *side =
        &levels->moved_begins.sides[term->weight > 0 ? step : MOVED_BEGINS + step];
    return term->level == ALL_ACTIVE            ? &side->sums.levels[levels->run->nactors]
           : term->level > levels->run->nactors ? NULL
           : term->level > 0                    ? &side->sums.levels[term->level - 1]
           : term->weight > 0                   ? &levels->whole
                                                : &levels->below_whole;
}

/* Find an upper bound of a sum of times, in 1/256 tick. levels->moved_begins has one bound for each
 * of its steps. If *best is MOVED_BEGINS, use the least bound, and set *best to its step.
 * Otherwise, use the bound of step *best. */
static csy_status bound_by(const struct levels *levels, const struct term *terms, size_t n,
                           size_t *best, int128 *out, bool *limited, csy_error *error)
{
    csy_status status = CSY_OK;
    size_t only = *best;
    *limited = false;
    for (size_t step = 0; !status && step < levels->moved_begins.nsteps; step++) {
        struct weighted sum[TERMS_MAX];
        int128 value;
        bool is;
        if (only != MOVED_BEGINS && step != only)
            continue;
        for (size_t i = 0; i < n; i++)
            sum[i] = (struct weighted){upper_sum_of(levels, step, &terms[i]),
                                       terms[i].weight > 0 ? terms[i].weight : -terms[i].weight};
        status = upper_sums_greatest(sum, n, &levels->run->moves, &value, &is, error);
        if (!status && is && (!*limited || value < *out)) {
            *out = value;
            *limited = true;
            *best = step;
        }
    }
    return status;
}

static csy_range_kind kind_of(const struct levels *levels)
{
    return levels->run->one_clock                                         ? CSY_RANGE_CLOCK
           : !levels->ranged                                              ? CSY_RANGE_UNKNOWN
           : levels->run->moves.star                                      ? CSY_RANGE_STAR
           : levels->some_unordered || levels->run->reach.added_ticks > 0 ? CSY_RANGE_PROVEN
                                                                          : CSY_RANGE_EXACT;
}

/* range->estimate must be set. Only terms[0].weight may be above 0. */
static csy_status range_of(const struct levels *levels, struct term *terms, size_t n,
                           csy_range *range, csy_error *error)
{
    int128 value = 0, ticks;
    bool limited;
    range->kind = kind_of(levels);
    range->lo = range->hi = range->estimate;
    if (!levels->ranged)
        return CSY_OK;
    size_t all = MOVED_BEGINS;
    csy_status status = bound_by(levels, terms, n, &all, &value, &limited, error);
    ticks = ceil_div(value, PARTS);
    range->hi = limited && fits_int64(ticks) ? (int64_t)ticks : INT64_MAX;
    for (size_t i = 0; i < n; i++)
        terms[i].weight = -terms[i].weight;
    all = MOVED_BEGINS;
    if (!status)
        status = bound_by(levels, terms, n, &all, &value, &limited, error);
    ticks = -ceil_div(value, PARTS);
    range->lo = limited && fits_int64(ticks) ? (int64_t)ticks : INT64_MIN;
    return status;
}

static csy_status estimate(const struct levels *levels, csy_range *at_least, csy_range *exactly,
                           csy_error *error)
{
    int128 above = 0;
    for (size_t i = levels->run->nactors + 1; i-- > 0;) {
        int128 time = (i ? levels->base.levels[i - 1].number : levels->whole.number) / PARTS;
        if (!fits_int64(time) || !fits_int64(time - above))
            return error_set(error, CSY_INPUT, "a time does not fit 64 bits");
        at_least[i] = (csy_range){.estimate = (int64_t)time};
        exactly[i] = (csy_range){.estimate = (int64_t)(time - above)};
        above = time;
    }
    return CSY_OK;
}

/* Narrow a range to `least` and `greatest`. Returns true if the range changes. */
static bool narrow(csy_range *range, int128 least, int128 greatest)
{
    bool low = least > range->lo, high = greatest < range->hi;
    if (low)
        range->lo = (int64_t)least;
    if (high)
        range->hi = (int64_t)greatest;
    return low || high;
}

/* The time with at least i active actors cannot increase with i, and the time with exactly i is the
 * difference of two such times. */
static void narrow_levels(const struct levels *levels, csy_range *at_least, csy_range *exactly)
{
    size_t n = levels->run->nactors;
    for (size_t i = 1; i <= n; i++)
        narrow(&at_least[i], 0, at_least[i - 1].hi);
    for (size_t i = n; i-- > 0;)
        narrow(&at_least[i], at_least[i + 1].lo, INT64_MAX);
    for (size_t i = 0; i <= n; i++) {
        int64_t least = i < n ? at_least[i + 1].lo : 0;
        int64_t greatest = i < n ? at_least[i + 1].hi : 0;
        narrow(&exactly[i], 0, INT64_MAX);
        bool limited = at_least[i].hi < INT64_MAX;
        narrow(&exactly[i], (int128)at_least[i].lo - greatest,
               limited ? (int128)at_least[i].hi - least : INT64_MAX);
    }
}

/* Narrow a range to `least` and `most`, but keep the estimate in the range. */
static void narrow_outer(csy_range *range, int128 least, int128 most)
{
    int64_t estimate = range->estimate;
    narrow(range, least < estimate ? least : estimate, most > estimate ? most : estimate);
}

/* Narrow the ranges of terms[0] to terms[n]. Their sum, or if `weighted` is true, the sum of all
 * i * terms[i], is `sum`. Returns true if a range changes. */
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

static void narrow_active_by_outer(const struct levels *levels, csy_range *active)
{
    const struct levels_run *run = levels->run;
    const struct outer_times *outer = &run->outer.blocks[levels - run->blocks];
    int128 least = 0, most = 0;
    for (size_t i = 1; i <= run->nactors; i++) {
        least += (int128)i * outer->times[OUTER_LEAST][i];
        most += (int128)i * outer->times[OUTER_MOST][i];
    }
    narrow_outer(active, least, most);
}

/* The block must be the whole trace, and active->estimate must be set. */
static csy_status active_in_all(const struct levels *levels, csy_range *active, csy_error *error)
{
    size_t nclocks = levels->run->moves.n;
    struct upper_sum sum = levels->base.levels[levels->run->nactors];
    sum.turns = 0;
    /* a clock that drifts does not measure the exact time */
    bool one_clock = !levels->run->instants->sync->drift;
    for (size_t t = 0; sum.c && t < nclocks; t++)
        one_clock = one_clock && sum.c[t] == 0;
    csy_status status = CSY_OK;
    active->lo = active->hi = active->estimate;
    active->kind = one_clock ? CSY_RANGE_CLOCK : CSY_RANGE_UNKNOWN;
    if (!one_clock && levels->run->own.since) {
        *active = (csy_range){active->estimate, 0, INT64_MAX, CSY_RANGE_STAR};
        const struct active_own *own = &levels->run->own;
        bool ends = !own->crosses;
        for (size_t i = 0; i < levels->run->instants->actors.count; i++)
            ends = ends && !levels->run->active[i];
        if (ends) {
            int128 off = (int128)own->times * levels->run->moves.sync->imprecision.added_ticks;
            off += places_own(levels->run->moves.places, own->size + off);
            narrow_outer(active, own->ticks - off, own->ticks + off);
        }
        if (levels->ranged && levels->run->outer.sweep.known)
            narrow_active_by_outer(levels, active);
    } else if (!one_clock && levels->ranged) {
        const struct moves *moves = &levels->run->moves;
        const struct weighted most = {&sum, 1}, least = {&sum, -1};
        int128 up = 0, down = 0;
        bool limited[2] = {false, false};
        status = upper_sums_greatest(&most, 1, moves, &up, &limited[0], error);
        if (!status)
            status = upper_sums_greatest(&least, 1, moves, &down, &limited[1], error);
        active->hi = limited[0] ? (int64_t)ceil_div(up, PARTS) : INT64_MAX;
        active->lo = limited[1] ? (int64_t)-ceil_div(down, PARTS) : INT64_MIN;
        active->kind = moves->star                          ? CSY_RANGE_STAR
                       : levels->run->reach.added_ticks > 0 ? CSY_RANGE_PROVEN
                                                            : CSY_RANGE_EXACT;
    }
    return status;
}

csy_status levels_active(const struct levels *levels, csy_range *active, csy_error *error)
{
    struct term all = {ALL_ACTIVE, 1};
    int128 estimate = levels->base.levels[levels->run->nactors].number / PARTS;
    csy_status status = CSY_OK;
    *active = (csy_range){.estimate = (int64_t)estimate};
    if (!fits_int64(estimate))
        return error_set(error, CSY_INPUT, "a time does not fit 64 bits");
    if (levels->bounded) {
        status = range_of(levels, &all, 1, active, error);
        if (levels->ranged)
            narrow(active, 0, INT64_MAX);
        if (!status && levels->ranged && levels->run->outer.sweep.known)
            narrow_active_by_outer(levels, active);
    } else {
        status = active_in_all(levels, active, error);
    }
    range_include_estimate(active);
    return status;
}

void levels_allow_for_stamps(const struct levels *levels, csy_range *active)
{
    int128 turns = 0;
    if (active->kind != CSY_RANGE_CLOCK || levels->bounded)
        return;
    for (size_t i = 0; i < levels->run->nactors; i++)
        turns += levels->base.levels[i].turns;
    range_widen(active, (turns * levels->run->reach.added_ticks + 1) / 2);
}

void levels_allow_for_ends(const struct levels *levels, csy_range *whole)
{
    if (whole->kind == CSY_RANGE_CLOCK && !levels->run->one_clock)
        range_widen(whole, levels->run->reach.added_ticks);
}

/* Returns true if one clock measures the length of the block, which may be the whole trace. */
static bool is_by_one_clock(const struct levels *levels)
{
    const struct instants *in = levels->run->instants;
    return !in->sync->drift && levels->block.first.at.clock == levels->block.last.at.clock &&
           (!in->partial || levels->run->moves.n == 1);
}

/* Narrow the ranges by two sums, unless these depend on clock offsets: exactly[0] and up add up to
 * the length of the block, and at_least[1] and up add up to the total active time. */
static csy_status narrow_by_sums(const struct levels *levels, csy_range *at_least,
                                 csy_range *exactly, csy_error *error)
{
    csy_range active = {0};
    size_t n = levels->run->nactors;
    csy_status status = levels_active(levels, &active, error);
    bool one_clock = is_by_one_clock(levels);
    for (size_t i = 0; i <= n; i++)
        if (exactly[i].hi == INT64_MAX || exactly[i].lo == INT64_MIN ||
            at_least[i].hi == INT64_MAX || at_least[i].lo == INT64_MIN)
            return status;
    for (int round = 0; !status && round < NARROW_ROUNDS; round++) {
        bool moved = one_clock && narrow_sum(exactly, n, false, at_least[0].estimate);
        if (active.kind == CSY_RANGE_CLOCK)
            moved |= narrow_sum(exactly, n, true, active.estimate);
        if (active.kind == CSY_RANGE_CLOCK && n > 0)
            moved |= narrow_sum(at_least + 1, n - 1, false, active.estimate);
        if (!moved)
            break;
        narrow_levels(levels, at_least, exactly);
    }
    return status;
}

/* Returns true if the record where the block begins or ends is uncertain. */
static bool has_no_end(const struct levels *levels, const struct block_end *end)
{
    return levels->bounded ? end->open : levels->run->instants->partial;
}

csy_status levels_ranges(const struct levels *levels, csy_range *at_least, csy_range *exactly,
                         csy_error *error)
{
    size_t n = levels->run->nactors;
    bool one_clock = is_by_one_clock(levels);
    const struct block_end *first = &levels->block.first, *last = &levels->block.last;
    bool begun = has_no_end(levels, first), ended = has_no_end(levels, last);
    bool partial = begun || ended;
    csy_status status = estimate(levels, at_least, exactly, error);
    if (!status && partial) {
        at_least[0].kind = exactly[0].kind = kind_of(levels);
        exactly[0].hi = INT64_MAX;
        status = extent_range(&levels->run->extent, &levels->run->moves, begun ? NULL : &first->at,
                              ended ? NULL : &last->at, &at_least[0], error);
    }
    for (size_t i = partial; !status && i <= n; i++) {
        struct term term[] = {{i, 1}, {i + 1, -1}};
        status = range_of(levels, term, 1, &at_least[i], error);
        term[0].weight = 1;
        if (!status)
            status = range_of(levels, term, 2, &exactly[i], error);
    }
    if (!status && levels->ranged) {
        if (levels->run->outer.sweep.known) {
            const struct levels_run *run = levels->run;
            const struct outer_times *outer = &run->outer.blocks[levels - run->blocks];
            int128 least = 0, most = 0;
            for (size_t i = run->nactors; i > 0; i--) {
                least += outer->times[OUTER_LEAST][i];
                most += outer->times[OUTER_MOST][i];
                narrow_outer(&at_least[i], least, most);
            }
        }
        narrow_levels(levels, at_least, exactly);
        if (levels->run->reach.added_ticks == 0)
            status = narrow_by_sums(levels, at_least, exactly, error);
        for (size_t i = 0; i <= n; i++) {
            range_include_estimate(&at_least[i]);
            range_include_estimate(&exactly[i]);
        }
    }
    if (one_clock) {
        at_least[0].lo = at_least[0].hi = at_least[0].estimate;
        at_least[0].kind = CSY_RANGE_CLOCK;
    }
    return status;
}

/* --- Shares --------------------------------------------------------------------------------- */

/* Find an upper (sign 1) or lower (sign -1) bound of exactly[i] / at_least[from], in millionths.
 * Each step finds by how much exactly[i] can exceed the last share of at_least[from], and corrects
 * the share by this amount. */
static csy_status find_share(const struct levels *levels, size_t i, size_t from, int sign,
                             int64_t begin, const csy_range *whole, int128 *out, csy_error *error)
{
    int128 share = (int128)sign * begin;
    csy_status status = CSY_OK;
    size_t best = MOVED_BEGINS;
    *out = sign > 0 ? SHARE_PARTS : 0;
    for (int step = 0; !status && step < SHARE_STEPS; step++) {
        int64_t at = (int64_t)(sign * share);
        struct term terms[] = {{i, sign * (int64_t)SHARE_PARTS},
                               {i + 1, -sign * (int64_t)SHARE_PARTS},
                               {from, -sign * at}};
        int128 value;
        bool limited;
        if (i == from) {
            terms[0].weight += terms[2].weight;
            terms[2].level = levels->run->nactors + 1;
        }
        status = bound_by(levels, terms, 3, &best, &value, &limited, error);
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

static bool make_sum(const struct levels *levels, size_t level, size_t above, struct ratio_sum *out)
{
    size_t nclocks = levels->run->moves.n, n = levels->run->nactors;
    *out = (struct ratio_sum){.c = calloc(nclocks + 1, sizeof *out->c)};
    const size_t of[] = {level, above};
    for (int k = 0; out->c && k < 2; k++) {
        const struct upper_sum *m = of[k] > n   ? NULL
                                    : of[k] > 0 ? &levels->base.levels[of[k] - 1]
                                                : &levels->whole;
        int sign = k ? -1 : 1;
        out->ticks += m ? sign * (m->number / PARTS) : 0;
        for (size_t t = 0; m && m->c && t < nclocks; t++)
            out->c[t] += sign * (m->c[t] / PARTS);
    }
    return out->c != NULL;
}

/* `end` is a lower bound (sign 1) or an upper bound (sign -1). Tighten it to part / whole. */
static void narrow_end(struct ratio *end, int sign, int128 part, int128 whole)
{
    if (whole > 0 && sign * (part * end->whole - end->part * whole) > 0)
        *end = (struct ratio){part, whole};
}

csy_status levels_share(const struct levels *levels, size_t i, size_t from,
                        const csy_range *at_least, const csy_range *exactly,
                        struct level_share *share, csy_error *error)
{
    const csy_range *part = &exactly[i];
    csy_range *range = &share->range, allowed = at_least[from], *whole = &allowed;
    bool attained = false;
    levels_allow_for_ends(levels, whole);
    *share = (struct level_share){
        .estimate = {part->estimate, whole->estimate}, .least = {0, 1}, .greatest = {1, 1}};
    range->estimate = (int64_t)((int128)part->estimate * SHARE_PARTS / whole->estimate);
    range->lo = range->hi = range->estimate;
    range->kind = kind_of(levels);
    if (!levels->ranged)
        return CSY_OK;
    csy_status status = CSY_OK;
    bool limited = whole->lo > 0 && whole->hi < INT64_MAX;
    if (limited && !levels->some_unordered && levels->run->reach.added_ticks == 0) {
        const struct moves *moves = &levels->run->moves;
        struct ratio_sum num = {0}, den = {0};
        struct ratio least, greatest;
        bool good = make_sum(levels, i, i + 1, &num) &&
                    make_sum(levels, from, levels->run->nactors + 1, &den);
        status = good ? CSY_OK : error_memory(error);
        if (!status)
            status = ratio_find(moves, &num, &den, 1, &greatest, &attained, error);
        if (!status && attained)
            status = ratio_find(moves, &num, &den, -1, &least, &attained, error);
        if (!status && attained) {
            share->least = least;
            share->greatest = greatest;
        }
        FREE_ALL(num.c, den.c);
    }
    if (!status && limited && !attained) {
        int128 least = 0, greatest = 0;
        narrow_end(&share->least, 1, part->lo, whole->hi);
        narrow_end(&share->greatest, -1, part->hi, whole->lo);
        /* if it is uncertain where the block begins or ends, find_share cannot be used for its
         * length */
        bool open = from == 0 && (has_no_end(levels, &levels->block.first) ||
                                  has_no_end(levels, &levels->block.last));
        if (!open)
            status = find_share(levels, i, from, 1, range->estimate, whole, &greatest, error);
        if (!status && !open)
            status = find_share(levels, i, from, -1, range->estimate, whole, &least, error);
        if (!status && !open) {
            narrow_end(&share->least, 1, least, SHARE_PARTS);
            narrow_end(&share->greatest, -1, greatest, SHARE_PARTS);
        }
    }
    range->kind = range->kind == CSY_RANGE_EXACT && !attained ? CSY_RANGE_PROVEN : range->kind;
    range->lo = (int64_t)floor_div(share->least.part * SHARE_PARTS, share->least.whole);
    range->hi = (int64_t)ceil_div(share->greatest.part * SHARE_PARTS, share->greatest.whole);
    range_include_estimate(range);
    return status;
}
