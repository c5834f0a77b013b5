/* Where calls of a profile are cut (analysis/window/cuts.h). */
#include "analysis/calls/profile.h"

#include "base/array.h"
#include "base/error.h"
#include "sync/placement.h"

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
    bool ordered = !p->instants.partial && !p->instants.has_open_calls;
    if (ordered || !actor->seen || p->actors[index].depth == 0)
        return *at;
    const struct clip_ends *most = &cuts->clip->ends[CLIP_MOST][actor->last.clock];
    const struct clip_ends *least = &cuts->clip->ends[CLIP_LEAST][actor->last.clock];
    doubt(&cuts->doubts[end], end ? least->until : most->from, at->global_ticks);
    doubt(&cuts->doubts[end], at->global_ticks, end ? most->until : least->from);
    return later_time(p->instants.sync, &actor->last, at->global_ticks);
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
    for (uint32_t i = 0; !status && i < p->instants.actors.count; i++) {
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
    for (size_t i = 0; p->inside > 1 && i < p->instants.actors.count; i++)
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

csy_status profile_cut(struct profile *p, const struct actor_instant *instant, csy_error *error)
{
    return p->cuts->as == CLIP_ESTIMATE ? pass_estimate(p, instant, error)
                                        : pass_by_clock(p, instant, error);
}
