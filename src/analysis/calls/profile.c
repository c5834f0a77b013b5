/* Profile: what calls of routines come to, as instants pass. */
#include "analysis/calls/profile.h"

#include "analysis/ranges/levels.h"
#include "base/array.h"
#include "base/error.h"

#include <stdlib.h>
#include <string.h>

/* --- Instants ------------------------------------------------------------------------------- */

/* The group of an actor now, where there are some. */
static bool find_group(struct profile *p, const struct actor_instant *instant, uint32_t *out)
{
    const struct actor *actor = &p->instants.actors.items[instant->actor];
    uint64_t unit = actor->kind == ACTOR_PPE ? NO_UNIT - 1 : instant->unit;
    bool added;
    if (p->sites.instants)
        return site_groups_of(&p->sites, instant->actor, instant->unit, out);
    if (p->per == CSY_PER_ACTOR || actor->kind == ACTOR_NAMED || unit == NO_UNIT)
        unit = (uint64_t)instant->actor << 32 | NO_TEXT;
    return texts_find(&p->groups, (const char *)&unit, sizeof unit, out, &added);
}

/* What it was in before it recorded. */
static bool begin_actor(struct profile *p, const struct actor_instant *instant)
{
    struct profile_actor *actor = &p->actors[instant->actor];
    const struct calls *calls = &p->instants.actors.items[instant->actor].calls;
    bool good = true;
    actor->begun = actor->on = true;
    for (size_t i = calls->nmissed; good && i-- > 0;)
        good = profile_enter(p, instant->actor, calls->missed[i].routine, &instant->at, true);
    return good;
}

/* A stay begins, or it goes on on another unit. */
static bool see_place(struct profile *p, const struct actor_instant *instant)
{
    struct profile_actor *actor = &p->actors[instant->actor];
    uint32_t group = NO_TEXT;
    if (p->per != CSY_PER_ALL && !find_group(p, instant, &group))
        return false;
    if (p->cuts)
        group = cuts_group(p->cuts, instant->actor, group);
    bool moved = group != actor->group;
    actor->group = group;
    if (!actor->begun)
        return begin_actor(p, instant);
    if (instant->seen && instant->seen->first)
        actor->on = moved = true;
    return !moved || profile_direct_to_top(p, actor, &instant->at);
}

/* A stay ends; what the actor was in when it recorded last is open then. */
static csy_status end_stay(struct profile *p, const struct actor_instant *instant, csy_error *error)
{
    struct profile_actor *actor = &p->actors[instant->actor];
    csy_status status = CSY_OK;
    actor->on = false;
    if (!profile_direct_to_top(p, actor, &instant->at))
        return error_memory(error);
    while (!status && instant->seen->final && actor->depth > 0)
        status = profile_leave(p, actor, &instant->at, true, error);
    return status;
}

/* What its record did there. */
static bool take_leaf(struct profile *p, const struct actor_instant *instant)
{
    const struct profile_actor *actor = &p->actors[instant->actor];
    const struct seen *seen = instant->seen;
    uint32_t caller = NO_TEXT;
    bool lasts = seen->waits || !sense_may_wait(&seen->sense); /* else before it was followed */
    struct moment begin = lasts ? seen->begin : seen->end, end = seen->end;
    if (seen->called)
        caller = seen->routine;
    else if (actor->depth > 0)
        caller = p->cells[actor->frames[actor->depth - 1].cell].routine;
    return (p->cuts && !cuts_clip(p->cuts, &begin, &end)) ||
           calltree_leaf(p->tree, caller, seen->leaf, seen->bytes, &begin, &end);
}

/* Where actors are at the moment that is asked for. */
static bool mark_paths(struct profile *p)
{
    bool good = true;
    p->at_passed = true;
    for (uint32_t i = 0; good && i < p->instants.actors.count; i++) {
        const struct profile_actor *actor = &p->actors[i];
        if (actor->depth > 0)
            good = calltree_mark(p->tree, i, actor->frames[actor->depth - 1].place.path);
    }
    return good;
}

/* Records of partial order do not come by their positions: the moment of one is its global time. */
static bool is_past(struct profile *p, const struct actor_instant *instant)
{
    if (p->at_record == UINT64_MAX)
        return instant->at.global_ticks > p->at_ticks;
    if (!p->instants.partial)
        return instant->record > p->at_record && instant->ordered && instant->own;
    if (instant->record == p->at_record && instant->is_record && instant->own) {
        p->at_record = UINT64_MAX;
        p->at_ticks = instant->at.global_ticks;
    }
    return false;
}

static csy_status take_calls(struct profile *p, const struct actor_instant *instant,
                             csy_error *error)
{
    struct profile_actor *actor = &p->actors[instant->actor];
    csy_status status = see_place(p, instant) ? CSY_OK : error_memory(error);
    if (!status && instant->call == CALL_ENTER) {
        uint32_t caller = actor->direct_row;
        bool good = profile_enter(p, instant->actor, instant->routine, &instant->at, false);
        for (int i = 0; good && !instant->ordered && i < 2; i++) {
            uint32_t row = i ? actor->direct_row : caller;
            if (row != NO_TEXT)
                p->rows[row].unordered = true;
        }
        for (size_t i = 0; good && !instant->ordered && i < actor->ninherited; i++)
            p->rows[actor->inherited[i]].unordered = true;
        status = good ? CSY_OK : error_memory(error);
    }
    if (!status && instant->seen && instant->seen->child != NO_ACTOR &&
        !profile_link_child(p, instant->actor, instant->seen->child))
        status = error_memory(error);
    if (!status && instant->call == CALL_EXIT)
        status = profile_exit(p, actor, instant->routine, &instant->at, error);
    if (!status && p->tree && instant->seen && instant->seen->leaf != NO_TEXT &&
        !take_leaf(p, instant))
        status = error_memory(error);
    if (!status && instant->seen && instant->seen->last)
        status = end_stay(p, instant, error);
    return status;
}

/* What samples find that come before an instant. */
bool profile_take_samples(struct profile *p, int64_t global_ticks)
{
    if (p->sampled.ticks <= 0)
        return true;
    uint64_t n = sampled_until(&p->sampled, global_ticks);
    bool good = true;
    for (size_t i = n > 0 ? profile_listed(p) : 0; good && i-- > 0;)
        good =
            sampled_find(&p->sampled, p->listed[i], n * (uint64_t)p->rows[p->listed[i]].direct.n);
    return good;
}

static csy_status take(void *user, const struct actor_instant *instant, csy_error *error)
{
    struct profile *p = user;
    struct profile_actor *actor = &p->actors[instant->actor];
    const struct moment *at = &instant->at;
    bool active = actor->counted && state_is_active(instant->state), good = true;
    bool record = instant->ordered && instant->own;
    struct change change = {.global_ticks = at->global_ticks,
                            .clock = at->clock,
                            .actor = instant->actor,
                            .sign = active - actor->active,
                            .ordered = instant->ordered};
    csy_status status = p->cuts ? profile_cut(p, instant, error) : CSY_OK;
    if (status)
        return status;
    if ((p->tree && p->at_wanted && !p->at_passed && is_past(p, instant) && !mark_paths(p)) ||
        !profile_take_samples(p, at->global_ticks))
        return error_memory(error);
    if (record)
        good = moves_note(&p->moves, at->clock, at->global_ticks);
    if (change.sign != 0) {
        good = good && profile_step_units(p, at, change.sign) &&
               profile_outer_unit(&p->outer, instant->actor, at, change.sign);
        p->unordered_units |= !instant->ordered;
        actor->active = active;
    }
    if (record || change.sign != 0)
        good = good && late_change(p, &change);
    if (!good)
        return error_memory(error);
    if (actor->left_out || !instant->own)
        return CSY_OK;
    if (instant->seen && !p->calls_alone && !p->cuts && sums_want(instant->seen) &&
        !sums_take(&p->sums, instant))
        return error_memory(error);
    return take_calls(p, instant, error);
}

csy_status profile_begin(struct profile *p, csy_error *error)
{
    const struct instants *in = &p->instants;
    csy_units units = levels_units(in, CSY_UNITS_AUTO, NULL);
    size_t n = in->actors.count;
    p->actors = calloc(n + 1, sizeof *p->actors);
    if (!p->actors)
        return error_memory(error);
    for (size_t i = 0; i < n; i++) {
        struct profile_actor *actor = &p->actors[i];
        actor->counted = units == CSY_UNITS_ACTORS || actor_is_spe(&in->actors.items[i], in->sync);
        actor->direct_row = actor->group = NO_TEXT;
        actor->path = NO_PATH;
        actor->clock = NO_THREAD;
    }
    return CSY_OK;
}

csy_status profile_gather(struct profile *p, csy_error *error)
{
    csy_status status = late_begin(p, error);
    if (!status)
        status = p->sampled.ticks > 0 || p->cuts || (p->tree && p->at_wanted)
                     ? instants_merge(&p->instants, take, p, error)
                     : instants_merge_calls(&p->instants, take, profile_take_calls, p, error);
    if (!status && p->tree && p->at_wanted && !p->at_passed && !mark_paths(p))
        status = error_memory(error);
    return status || (late_end(p) && profile_end_calls(p)) ? status : error_memory(error);
}

void profile_fini(struct profile *p)
{
    for (size_t i = 0; p->actors && i < p->instants.actors.count; i++) {
        free(p->actors[i].frames);
        free(p->actors[i].inherited);
    }
    free(p->actors);
    free(p->rows);
    free(p->cells);
    free(p->listed);
    late_fini(p);
    sums_fini(&p->sums);
    sampled_fini(&p->sampled);
    keys_fini(&p->rows_by);
    keys_fini(&p->cells_by);
    texts_fini(&p->groups);
    site_groups_fini(&p->sites);
    forms_fini(&p->forms);
    lengths_fini(&p->lengths);
    moves_fini(&p->moves);
    instants_fini(&p->instants);
}
