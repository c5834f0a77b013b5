/* Levels: the changes of a trace are given to the blocks that they matter to. */
#include "analysis/ranges/levels.h"

#include "base/error.h"

#include <stdlib.h>

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
                           "%s: no event says when a thread has a core: celltrace -e switches "
                           "records that",
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
    enum { HEAP_BYTES = 24 }; /* of the allocator, and rounding */
    size_t level = sizeof(struct majorant) + nclocks * sizeof(int64_t) + HEAP_BYTES;
    return (nactors + 2) * level * (nclocks > 1 ? 1 + STAIRS_SIDES : 1);
}

/* Where no record is ordered, none can be what a begin becomes; where all are, there are none. */
static bool take_unordered(struct stairs *stairs, const struct change *change)
{
    return !change_matters(change) ||
           (swaps_take(&stairs->above[0], change) && swaps_take(&stairs->below[0], change));
}

static bool give(struct levels *levels, const struct change *change, int64_t active)
{
    bool counts = !levels->bounded || levels->place == BLOCK_OPEN;
    if (!majorants_take(&levels->base, active, counts, change))
        return false;
    levels->some_unordered |= change_matters(change) && !change->ordered;
    return !levels->ranged || (levels->stairs.nsteps == 1 ? take_unordered(&levels->stairs, change)
                                                          : stairs_take(&levels->stairs, change));
}

/* It may be that the next changes are within it; so many are active. */
static csy_status wake(struct levels *levels, int64_t active, csy_error *error)
{
    const struct levels_run *run = levels->run;
    const struct instants *in = run->instants;
    csy_status status = majorants_init(&levels->base, run->nactors, run->moves.n, 1, error);
    levels->ranged = run->ranged;
    levels->place = levels->bounded && levels->block.first.open ? BLOCK_OPEN : BLOCK_NEAR;
    levels->changes_alone = !levels->bounded && !levels->ranged;
    if (!status && run->sample_ticks > 0) {
        levels->samples = calloc(run->nactors + 1, sizeof *levels->samples);
        status = levels->samples ? CSY_OK : error_memory(error);
    }
    if (status || !levels->ranged)
        return status;
    bool some = (in->has_begins || levels->bounded) && !in->partial;
    status = stairs_init(&levels->stairs, &run->reach, run->nactors, in->actors.count, some,
                         in->sync->trace->workers, error);
    levels->changes_alone = !levels->bounded && levels->stairs.nsteps == 1;
    for (size_t i = 0; i < STAIRS && i < levels->stairs.nsteps; i++) {
        struct swaps *both[] = {&levels->stairs.above[i], &levels->stairs.below[i]};
        for (int side = 0; side < 2; side++) {
            both[side]->may_give_up = in->partial;
            both[side]->given_up = run->outer_only;
            both[side]->active = active;
            both[side]->counts = !levels->bounded || levels->place == BLOCK_OPEN;
        }
    }
    return status;
}

static bool open_or_close(struct levels *levels, int edge, int64_t active, const struct moment *now)
{
    struct block_end *end = edge > 0 ? &levels->block.first : &levels->block.last;
    if (end->snaps)
        end->at = *now;
    const struct change change = {.global_ticks = end->at.global_ticks,
                                  .clock = end->at.clock,
                                  .actor = NO_ACTOR,
                                  .edge = edge,
                                  .ordered = (end->snaps || end->record != CSY_NO_RECORD) &&
                                             !levels->run->instants->partial};
    bool good = give(levels, &change, active);
    levels->place = edge > 0 ? BLOCK_OPEN : BLOCK_CLOSED;
    return good;
}

/* Whether an end of a block comes before an instant.  One at a record closes right after it: before
 * the next record, and what begins later by the estimate. */
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

static csy_status finish(struct levels *levels, csy_error *error)
{
    bool good = !levels->ranged || stairs_end(&levels->stairs);
    levels->place = BLOCK_DONE;
    levels->given_up =
        levels->ranged && (levels->stairs.above[0].given_up || levels->stairs.below[0].given_up);
    if (levels->stairs.nsteps > 0)
        stairs_rest(&levels->stairs);
    return good ? CSY_OK : error_memory(error);
}

/* What is so far from its end that nothing there can be inverted with it. */
static bool is_far(const struct levels *levels, int64_t ticks)
{
    const struct reach *reach = &levels->run->reach;
    return ticks > NEAR * ((int128)reach->greatest + 2 * (int128)reach->added_ticks + 1);
}

/* A block is given a change: so many were active before it. */
static csy_status take_block(struct levels *levels, const struct actor_instant *instant,
                             const struct change *change, int64_t active, csy_error *error)
{
    int128 until = (int128)levels->block.first.at.global_ticks - instant->at.global_ticks;
    int128 since = (int128)instant->at.global_ticks - levels->block.last.at.global_ticks;
    bool record = instant->is_record && instant->own, good = true;
    csy_status status = CSY_OK;
    if (levels->place == BLOCK_AHEAD) {
        bool begins = !levels->bounded || has_come(levels, &levels->block.first, instant, false);
        if (!begins && (!record || (fits_int64(until) && is_far(levels, (int64_t)until))))
            return CSY_OK;
        status = wake(levels, active, error);
    }
    if (!status && levels->place == BLOCK_NEAR && levels->bounded &&
        has_come(levels, &levels->block.first, instant, false))
        good = open_or_close(levels, 1, active, &instant->at);
    if (!status && good && levels->place == BLOCK_OPEN && levels->bounded &&
        has_come(levels, &levels->block.last, instant, true))
        good = open_or_close(levels, -1, active, &instant->at);
    if (!status && good && (change->sign || record))
        good = give(levels, change, active);
    if (!status && !good)
        status = error_memory(error);
    if (!status && levels->place == BLOCK_CLOSED &&
        (!levels->ranged || (fits_int64(since) && is_far(levels, (int64_t)since))))
        status = finish(levels, error);
    return status;
}

/* Look at how many are active, as often as it is time to before an instant. */
static void sample(struct levels_run *run, int64_t global)
{
    const int64_t ticks = run->sample_ticks;
    if (ticks <= 0 || run->next_sample >= global)
        return;
    int128 last = run->next_sample + ((int128)global - 1 - run->next_sample) / ticks * ticks;
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

/* An instant is given to the blocks that it matters to; sign: of the change there. */
static csy_status give_blocks(struct levels_run *run, const struct actor_instant *instant, int sign,
                              csy_error *error)
{
    const struct change change = {.global_ticks = instant->at.global_ticks,
                                  .clock = instant->at.clock,
                                  .actor = instant->actor,
                                  .sign = sign,
                                  .ordered = instant->ordered};
    csy_status status = CSY_OK;
    if (!levels_outer_take(&run->outer, &change))
        return error_memory(error);
    for (size_t i = run->first_block; !status && i < run->nblocks; i++) {
        struct levels *levels = &run->blocks[i];
        if (levels->place != BLOCK_DONE)
            status = take_block(levels, instant, &change, run->now, error);
        else if (i == run->first_block)
            run->first_block++;
        if (levels->place == BLOCK_AHEAD)
            break; /* those after it begin later */
    }
    run->now += sign;
    if (instant->is_record)
        run->nrecords = instant->record + 1;
    return status;
}

csy_status levels_take(void *user, const struct actor_instant *instant, csy_error *error)
{
    struct levels_run *run = user;
    const struct moment *at = &instant->at;
    bool active;
    if (!levels_find_active(run, instant, &active))
        return error_memory(error);
    sample(run, at->global_ticks);
    if (run->instants->partial && instant->is_record)
        extent_note(&run->extent, at->clock, at->global_ticks);
    if (instant->ordered && instant->own && !moves_note(&run->moves, at->clock, at->global_ticks))
        return error_memory(error);
    bool *was = &run->active[instant->actor];
    int sign = (int)active - (int)*was;
    if (sign == 0 && run->blocks->changes_alone)
        return CSY_OK;
    *was = active;
    return give_blocks(run, instant, sign, error);
}

/* The blocks that the trace ends in, or before. */
static csy_status end_blocks(struct levels_run *run, csy_error *error)
{
    csy_status status = CSY_OK;
    for (size_t i = 0; !status && i < run->nblocks; i++) {
        struct levels *levels = &run->blocks[i];
        bool good = true;
        if (levels->place == BLOCK_AHEAD)
            status = wake(levels, run->now, error);
        if (!status && levels->bounded && levels->place == BLOCK_NEAR)
            good = open_or_close(levels, 1, run->now, &run->instants->last);
        if (!status && good && levels->bounded && levels->place == BLOCK_OPEN &&
            !levels->block.last.open)
            good = open_or_close(levels, -1, run->now, &run->instants->last);
        if (!status && !good)
            status = error_memory(error);
        if (!status && levels->place != BLOCK_DONE)
            status = finish(levels, error);
    }
    return status;
}

/* The time from its begin to its end, and what is below 0 of it. */
static csy_status make_whole(struct levels *levels, csy_error *error)
{
    const struct moment *first = &levels->block.first.at, *last = &levels->block.last.at;
    int128 time = (int128)last->global_ticks - first->global_ticks;
    struct majorant *both[] = {&levels->whole, &levels->below_whole};
    for (int i = 0; i < 2; i++) {
        int64_t part = i ? -PARTS : PARTS;
        *both[i] = (struct majorant){.number = part * time,
                                     .c = calloc(levels->run->moves.n + 1, sizeof *both[i]->c),
                                     .turns = 2};
        if (!both[i]->c)
            return error_memory(error);
        both[i]->c[last->clock] += part;
        both[i]->c[first->clock] -= part;
    }
    return CSY_OK;
}

static csy_status begin_outer(struct levels_run *run, csy_error *error)
{
    const struct instants *in = run->instants;
    csy_status status = levels_outer_init(&run->outer, &run->reach, in->sync, in->actors.count,
                                          run->nactors, run->nblocks, error);
    for (size_t i = 0; !status && run->outer.known && i < run->nblocks; i++) {
        const struct block_end *first = &run->blocks[i].block.first;
        const struct block_end *last = &run->blocks[i].block.last;
        if (run->blocks[i].bounded)
            levels_outer_bound(&run->outer, i, first->open ? NULL : &first->at,
                               last->open ? NULL : &last->at);
    }
    return status;
}

static csy_status begin(struct levels_run *run, const struct block *blocks, size_t nblocks,
                        csy_error *error)
{
    const struct instants *in = run->instants;
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
    csy_status status = extent_init(&run->extent, csy_sync_nthreads(in->sync), error);
    if (!status)
        status = moves_init(&run->moves, in->sync, error);
    run->one_clock = !status && run->moves.n == 1 && !in->sync->drift;
    run->ranged =
        !status && run->moves.known && run->moves.n <= REACH_CLOCKS_MAX && !run->one_clock;
    if (status || !run->ranged)
        return status;
    status = reach_init(&run->reach, &run->moves, error);
    run->ranged = !in->partial || run->reach.greatest < MOVES_NONE;
    return status || !in->partial || !run->ranged ? status : begin_outer(run, error);
}

csy_status levels_begin_group(struct levels_run *run, struct instants *in,
                              const csy_concurrency *asked, const struct block *blocks,
                              size_t nblocks, struct site_groups *groups, uint32_t group,
                              csy_error *error)
{
    *run = (struct levels_run){.instants = in,
                               .units = levels_units(in, asked->units, asked->actors),
                               .names = asked->actors,
                               .groups = groups,
                               .group = group,
                               .sample_ticks = asked->sample_ticks,
                               .next_sample = in->first.global_ticks};
    csy_status status = begin(run, blocks, nblocks, error);
    if (status)
        levels_fini(run);
    return status;
}

csy_status levels_begin(struct levels_run *run, struct instants *in, const csy_concurrency *asked,
                        const struct block *blocks, size_t nblocks, csy_error *error)
{
    return levels_begin_group(run, in, asked, blocks, nblocks, NULL, 0, error);
}

/* Slacks that are more than what all of them leave limit nothing. */
static void drop_needless(struct moves *moves, const struct reach *reach)
{
    size_t kept = 0;
    for (size_t i = 0; i < moves->narcs; i++) {
        const struct flow_arc *arc = &moves->arcs[i];
        int64_t most = reach_of(reach, arc->from, arc->to);
        if (most == REACH_APART || arc->cost <= most)
            moves->arcs[kept++] = *arc;
    }
    moves->narcs = kept;
}

/* Blocks whose pairs were too many have what is known of each change by itself. */
static csy_status end_outer(struct levels_run *run, csy_error *error)
{
    csy_status status = levels_outer_end(&run->outer) ? CSY_OK : error_memory(error);
    for (size_t i = 0; !status && i < run->nblocks; i++) {
        struct levels *levels = &run->blocks[i];
        if (!levels->given_up)
            continue;
        levels->ranged = run->outer.known;
        levels->some_unordered = true;
        if (levels->ranged)
            status = levels_outer_fill(&run->outer, i, &levels->stairs.above[0].majorants,
                                       &levels->stairs.below[0].majorants, error);
    }
    return status;
}

csy_status levels_end(struct levels_run *run, csy_error *error)
{
    csy_status status = end_blocks(run, error);
    if (!status)
        status = end_outer(run, error);
    if (!status)
        status = moves_finish(&run->moves, error);
    if (!status && run->ranged && run->moves.neighbours)
        drop_needless(&run->moves, &run->reach);
    for (size_t i = 0; !status && i < run->nblocks; i++)
        status = make_whole(&run->blocks[i], error);
    return status;
}

void levels_fini(struct levels_run *run)
{
    for (size_t i = 0; run->blocks && i < run->nblocks; i++) {
        struct levels *levels = &run->blocks[i];
        stairs_fini(&levels->stairs);
        majorants_fini(&levels->base);
        free(levels->whole.c);
        free(levels->below_whole.c);
        free(levels->samples);
    }
    free(run->blocks);
    levels_outer_fini(&run->outer);
    reach_fini(&run->reach);
    moves_fini(&run->moves);
    free(run->counted);
    free(run->active);
    extent_fini(&run->extent);
    *run = (struct levels_run){0};
}
