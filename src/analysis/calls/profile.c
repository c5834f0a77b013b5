/* Profile: what calls of routines come to, as instants pass. */
#include "analysis/calls/profile.h"

#include "analysis/ranges/levels.h"
#include "analysis/window/window.h"
#include "base/array.h"
#include "base/error.h"
#include "sync/placement.h"

#include <stdlib.h>
#include <string.h>

/* --- Where calls of a profile are cut (analysis/calls/profile.h) ----------------------------- */

/* A call of that row ends or begins at an end of the window. */
static bool count_edge(struct cuts *cuts, uint32_t row)
{
    if (!ARRAY_RESERVE(cuts->edged, cuts->edged_capacity, (size_t)row + 1))
        return false;
    while (cuts->nedged <= row)
        cuts->edged[cuts->nedged++] = 0;
    cuts->edged[row]++;
    return true;
}

/* All calls of an actor end, and begin anew, on the other side of an end of the window. */
static csy_status cut(struct profile *p, uint32_t index, const struct moment *at, csy_error *error)
{
    struct cuts *cuts = p->cuts;
    struct cut_actor *place = &cuts->actors[index];
    struct profile_actor *actor = &p->actors[index];
    size_t depth = actor->depth;
    csy_status status = CSY_OK;
    bool good = ARRAY_RESERVE(cuts->saved, cuts->saved_capacity, depth + 1);
    for (size_t i = depth; good && !status && i-- > 0;) {
        const struct profile_frame *frame = &actor->frames[i];
        cuts->saved[i] = (struct cut_call){p->cells[frame->cell].routine, frame->open};
        good = count_edge(cuts, frame->row);
        status = good ? profile_leave(p, actor, at, false, error) : CSY_OK;
    }
    good = good && !status && profile_direct_to_top(p, actor, at);
    place->place++;
    actor->group = place->place == CUT_INSIDE ? place->group : CUTS_OUTSIDE;
    for (size_t i = 0; good && i < depth; i++)
        good = profile_enter(p, index, cuts->saved[i].routine, at, cuts->saved[i].open) &&
               count_edge(cuts, actor->frames[i].row);
    return status ? status : good ? CSY_OK : error_memory(error);
}

/* That time by the clock of a moment. */
static struct moment at_time(const struct moment *moment, int64_t global_ticks)
{
    int64_t by = global_ticks - moment->global_ticks;
    return (struct moment){moment->local_ticks + by, global_ticks, moment->clock};
}

/* --- By the estimate: all actors at once, as if an end were a record ------------------------- */

/* How far an instant may be on the other side of an end. */
static void doubt(int64_t *doubt, int64_t least, int64_t most)
{
    int128 ticks = (int128)most - least;
    int64_t limited = ticks <= 0 ? 0 : fits_int64(ticks) ? (int64_t)ticks : INT64_MAX;
    *doubt = limited > *doubt ? limited : *doubt;
}

/* That time by the clock of a moment that was not after it: the first that is placed there or
 * later, which no stamp that is yet to come is before. */
static struct moment later_time(const csy_sync *sync, const struct moment *last,
                                int64_t global_ticks)
{
    enum { STEPS = 64 };
    struct moment out = at_time(last, global_ticks);
    if (!sync->drift)
        return out;
    for (int i = 0; i < STEPS; i++) { /* rates are near 1, so that each is far less off */
        int128 off = global_ticks - placement_of(sync, last->clock, out.local_ticks);
        if (off == 0)
            break;
        out.local_ticks += (int64_t)off;
    }
    while (placement_of(sync, last->clock, out.local_ticks) < global_ticks)
        out.local_ticks++;
    while (out.local_ticks > last->local_ticks &&
           placement_of(sync, last->clock, out.local_ticks - 1) >= global_ticks)
        out.local_ticks--;
    return out;
}

/* Where begins have no order, whose calls are told apart by clocks, it is one of the actor's. */
static struct moment cut_of(struct profile *p, uint32_t index, const struct moment *at, size_t end)
{
    struct cuts *cuts = p->cuts;
    const struct cut_actor *actor = &cuts->actors[index];
    bool ordered = !p->instants->partial && !p->instants->has_open_calls;
    if (ordered || !actor->seen || p->actors[index].depth == 0)
        return *at;
    const struct clip_ends *most = &cuts->clip->ends[CLIP_MOST][actor->last.clock];
    const struct clip_ends *least = &cuts->clip->ends[CLIP_LEAST][actor->last.clock];
    doubt(&cuts->doubts[end], end ? least->until : most->from, at->global_ticks);
    doubt(&cuts->doubts[end], at->global_ticks, end ? most->until : least->from);
    return later_time(p->instants->sync, &actor->last, at->global_ticks);
}

/* What samples find that come before an instant; false on no memory. */
static bool profile_take_samples(struct profile *p, int64_t global_ticks)
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

static csy_status cut_all(struct profile *p, size_t end, csy_error *error)
{
    const struct clip *clip = p->cuts->clip;
    const struct moment *at = end ? &clip->end : &clip->begin;
    const struct change record = {
        .global_ticks = at->global_ticks, .clock = at->clock, .actor = NO_ACTOR, .ordered = true};
    csy_status status = profile_take_samples(p, at->global_ticks) && late_change(p, &record)
                            ? CSY_OK
                            : error_memory(error);
    for (uint32_t i = 0; !status && i < p->instants->actors.count; i++) {
        struct moment own = cut_of(p, i, at, end);
        status = cut(p, i, &own, error);
    }
    return status;
}

/* Who is in what there; what is so in the base order is so whatever the offsets are. */
static bool probe(struct profile *p, size_t which)
{
    struct cuts *cuts = p->cuts;
    if (!ARRAY_RESERVE(cuts->probes, cuts->probes_capacity, p->nrows + 1))
        return false;
    while (cuts->nprobes < p->nrows)
        cuts->probes[cuts->nprobes++] = (struct cut_probe){.actors = 0};
    for (size_t i = 0; i < p->nrows; i++)
        if (p->rows[i].inside.n > cuts->probes[i].actors)
            cuts->probes[i].actors = p->rows[i].inside.n;
    for (size_t i = 0; p->inside > 1 && i < p->instants->actors.count; i++)
        for (size_t k = 0; k < p->actors[i].depth; k++)
            cuts->probes[p->actors[i].frames[k].row].calls[which]++;
    return true;
}

static bool pass_probes(struct profile *p, int64_t now)
{
    struct cuts *cuts = p->cuts;
    bool begins = !cuts->probed[0] && now > cuts->certain[0];
    bool ends = !cuts->probed[1] && now >= cuts->certain[1];
    cuts->probed[0] |= begins;
    cuts->probed[1] |= ends;
    return (!begins || probe(p, 0)) && (!ends || probe(p, 1));
}

static void doubt_both(struct cuts *cuts, const struct moment *at)
{
    if (!cuts->clip->known)
        return;
    const struct clip_ends *most = &cuts->clip->ends[CLIP_MOST][at->clock];
    const struct clip_ends *least = &cuts->clip->ends[CLIP_LEAST][at->clock];
    if (cuts->begun)
        doubt(&cuts->doubts[0], at->global_ticks, least->from);
    else
        doubt(&cuts->doubts[0], most->from, at->global_ticks);
    if (cuts->ended)
        doubt(&cuts->doubts[1], at->global_ticks, most->until);
    else
        doubt(&cuts->doubts[1], least->until, at->global_ticks);
}

/* Whether it is any to calls and to units that are active. */
static bool changes(const struct profile *p, const struct actor_instant *instant)
{
    const struct profile_actor *actor = &p->actors[instant->actor];
    bool active = actor->counted && state_is_active(instant->state);
    return instant->call != CALL_NONE || active != actor->active ||
           (instant->seen && (instant->seen->first || instant->seen->last));
}

static csy_status pass_estimate(struct profile *p, const struct actor_instant *instant,
                                csy_error *error)
{
    struct cuts *cuts = p->cuts;
    const struct clip_ends *ends = &cuts->clip->ends[CLIP_ESTIMATE][instant->at.clock];
    csy_status status = CSY_OK;
    if (!cuts->begun && ends->from < ends->until && instant->at.global_ticks > ends->from) {
        cuts->begun = true;
        status = cut_all(p, 0, error);
    }
    if (!status && !pass_probes(p, instant->at.global_ticks))
        status = error_memory(error);
    if (!status && cuts->begun && !cuts->ended && instant->at.global_ticks >= ends->until) {
        cuts->ended = true;
        status = cut_all(p, 1, error);
    }
    if (changes(p, instant))
        doubt_both(cuts, &instant->at);
    if (instant->own) {
        cuts->actors[instant->actor].last = instant->at;
        cuts->actors[instant->actor].seen = true;
    }
    return status;
}

/* --- By what is certain and what is possible: each actor by its clock ------------------------ */

/* Where it is cut: at that time of its clock; between two stays, before the gap or after it, so
 * that more of it is outside, or inside. */
static struct moment place_of(const struct cut_actor *actor, const struct moment *now,
                              int64_t global_ticks, bool late)
{
    if (actor->seen && actor->last.clock != now->clock)
        return late ? *now : actor->last;
    return actor->seen ? moment_between(&actor->last, now, global_ticks)
                       : at_time(now, global_ticks);
}

static csy_status pass_by_clock(struct profile *p, const struct actor_instant *instant,
                                csy_error *error)
{
    struct cuts *cuts = p->cuts;
    struct cut_actor *actor = &cuts->actors[instant->actor];
    const struct moment *now = &instant->at;
    const struct clip_ends *ends = &cuts->clip->ends[cuts->as][now->clock];
    bool least = cuts->as == CLIP_LEAST, none = ends->from >= ends->until;
    csy_status status = CSY_OK;
    if (!instant->own)
        return CSY_OK;
    if (actor->place == CUT_BEFORE && !none && now->global_ticks > ends->from) {
        struct moment at = place_of(actor, now, ends->from, least);
        status = cut(p, instant->actor, &at, error);
    }
    if (!status && actor->place == CUT_INSIDE && now->global_ticks >= ends->until) {
        struct moment at = place_of(actor, now, ends->until, !least);
        status = cut(p, instant->actor, &at, error);
    }
    actor->last = *now;
    actor->seen = true;
    return status;
}

/* Cut calls, with cuts, before all else is done with an instant. */
static csy_status profile_cut(struct profile *p, const struct actor_instant *instant,
                              csy_error *error)
{
    return p->cuts->as == CLIP_ESTIMATE ? pass_estimate(p, instant, error)
                                        : pass_by_clock(p, instant, error);
}

/*
 * Cuts: a profile of a window of the trace.
 *
 * Where the window begins, what an actor is in ends, and begins anew; where it ends, that is so
 * again.  What is outside of it goes to rows of a group of their own, which is not shown.  So
 * one pass tells of a window whose ends are moments of the base order: the estimate.
 *
 * By another clock such an end is somewhere between two moments (analysis/window/window.h).  Two
 * further passes cut each actor by its own clock, at those of what is in the window for certain,
 * and of what may be: calls, and times by the clock of an actor, are between what these two tell.
 *
 * Of what several actors come to together, f of their joint state, the base order tells the
 * integral from the end on as a form.  It is off by what f differs from what it was at the end,
 * from the first instant on that is not on its side of the end; no more than f at most, for as long
 * as that instant may be away from the end.  How long that is for any of them is the doubt.
 */

csy_status cuts_init(struct cuts *cuts, const struct clip *clip, enum clip_as as, size_t nactors,
                     size_t nclocks, csy_error *error)
{
    bool all = clip->ends[as][0].from == INT64_MIN;
    *cuts = (struct cuts){.clip = clip, .as = as, .begun = all, .certain = {INT64_MIN, INT64_MAX}};
    for (size_t i = 0; i < nclocks; i++) {
        const struct clip_ends *ends = &clip->ends[CLIP_LEAST][i];
        cuts->certain[0] = ends->from > cuts->certain[0] ? ends->from : cuts->certain[0];
        cuts->certain[1] = ends->until < cuts->certain[1] ? ends->until : cuts->certain[1];
    }
    cuts->probed[0] = cuts->probed[1] = cuts->certain[0] >= cuts->certain[1];
    cuts->actors = calloc(nactors + 1, sizeof *cuts->actors);
    for (size_t i = 0; cuts->actors && i < nactors; i++) {
        cuts->actors[i].group = NO_TEXT;
        cuts->actors[i].place = all ? CUT_INSIDE : CUT_BEFORE;
    }
    return cuts->actors ? CSY_OK : error_memory(error);
}

void cuts_fini(struct cuts *cuts)
{
    free(cuts->actors);
    free(cuts->saved);
    free(cuts->edged);
    free(cuts->probes);
    *cuts = (struct cuts){0};
}

/* What of something that an actor did is in the window; false: nothing, a moment beyond it. */
static bool cuts_clip(const struct cuts *cuts, struct moment *begin, struct moment *end)
{
    const struct clip_ends *ends = &cuts->clip->ends[cuts->as][end->clock];
    struct moment from, until;
    if (ends->from >= ends->until) /* it may be empty */
        return false;
    if (begin->global_ticks >= end->global_ticks) /* a moment */
        return clip_has(cuts->clip, cuts->as, end);
    if (!clip_meets(cuts->clip, cuts->as, begin, end) ||
        !clip_time(cuts->clip, cuts->as, begin, end, &from, &until))
        return false;
    *begin = from;
    *end = until;
    return true;
}

/* The group that an actor is of now, where that of the others would be this. */
static uint32_t cuts_group(struct cuts *cuts, uint32_t actor, uint32_t group)
{
    cuts->actors[actor].group = group;
    return cuts->actors[actor].place == CUT_INSIDE ? group : CUTS_OUTSIDE;
}

/* --- Instants ------------------------------------------------------------------------------- */

/* The group of an actor now, where there are some. */
static bool find_group(struct profile *p, const struct actor_instant *instant, uint32_t *out)
{
    const struct actor *actor = &p->instants->actors.items[instant->actor];
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
    const struct calls *calls = &p->instants->actors.items[instant->actor].calls;
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
    for (uint32_t i = 0; good && i < p->instants->actors.count; i++) {
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
    if (!p->instants->partial)
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

csy_status profile_take(void *user, const struct actor_instant *instant, csy_error *error)
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
    const struct instants *in = p->instants;
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
    }
    return CSY_OK;
}

csy_status profile_begin_merge(struct profile *p, csy_error *error)
{
    return late_begin(p, error);
}

csy_status profile_end_merge(struct profile *p, csy_error *error)
{
    bool good = !p->tree || !p->at_wanted || p->at_passed || mark_paths(p);
    return good && late_end(p) ? CSY_OK : error_memory(error);
}

csy_status profile_gather(struct profile *p, csy_error *error)
{
    csy_status status = profile_begin_merge(p, error);
    if (!status)
        status =
            p->sampled.ticks > 0 || p->cuts || (p->tree && p->at_wanted)
                ? instants_merge(p->instants, profile_take, p, error)
                : instants_merge_calls(p->instants, profile_take, profile_take_calls, p, error);
    return status ? status : profile_end_merge(p, error);
}

void profile_fini(struct profile *p)
{
    for (size_t i = 0; p->actors && i < p->instants->actors.count; i++) {
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
}
