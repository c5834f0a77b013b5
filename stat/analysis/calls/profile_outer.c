/* Limits the elapsed time of routines by outer places. */
#include "analysis/calls/profile_outer.h"

#include "base/array.h"
#include "base/error.h"
#include "base/number.h"

#include <stdlib.h>
#include <string.h>

/* The key that stands for the units. */
#define UNITS UINT32_MAX

static bool pass(void *user, enum outer_end end, const struct outer_change *change)
{
    struct profile_outer *profile = user;
    int32_t *depth = &profile->depths[change->actor][end];
    struct outer_presence *row = change->key == UNITS ? NULL : &profile->rows[change->key][end];
    int64_t *there = row ? &row->actors : &profile->alone.units[end];
    int64_t before = *there;
    struct outer_alone *units = &profile->alone;
    int64_t most = units->units[OUTER_MOST], least = units->units[OUTER_LEAST];
    if (most >= 1 && least <= 1) /* exactly one unit may be active */
        units->ticks[OUTER_MOST] += (int128)change->ticks - units->since;
    if (most == 1 && least == 1) /* exactly one unit is certainly active */
        units->ticks[OUTER_LEAST] += (int128)change->ticks - units->since;
    units->since = change->ticks;
    *there -= *depth > 0;
    *depth += change->sign;
    *there += *depth > 0;
    if (!row)
        return true;
    int128 alone = profile->alone.ticks[end];
    row->alone += before * (alone - row->alone_since);
    row->alone_since = alone;
    row->entries += change->sign > 0;
    row->greatest = row->actors > row->greatest ? row->actors : row->greatest;
    if (before == 0 && row->actors > 0)
        row->since = change->ticks;
    if (before > 0 && row->actors == 0)
        row->ticks += (int128)change->ticks - row->since;
    return true;
}

void profile_outer_init(struct profile_outer *profile, const struct reach *reach,
                        const csy_sync *sync)
{
    *profile = (struct profile_outer){.known = reach && reach->greatest < MOVES_NONE};
    if (profile->known)
        outer_init(&profile->outer, reach, sync, pass, profile);
}

void profile_outer_fini(struct profile_outer *profile)
{
    outer_fini(&profile->outer);
    texts_fini(&profile->by);
    free(profile->depths);
    free(profile->rows);
    *profile = (struct profile_outer){0};
}

static bool take(struct profile_outer *profile, uint32_t key, uint32_t actor,
                 const struct moment *now, int step)
{
    const uint32_t by[2] = {key, actor};
    struct outer_change change = {.key = key, .sign = step};
    bool added;
    if (!texts_find(&profile->by, (const char *)by, sizeof by, &change.actor, &added) ||
        !ARRAY_RESERVE(profile->depths, profile->depths_capacity, profile->by.count))
        return false;
    if (added)
        memset(profile->depths[change.actor], 0, sizeof *profile->depths);
    return outer_take(&profile->outer, now, &change);
}

bool profile_outer_add(struct profile_outer *profile, uint32_t row, enum outer_kind kind,
                       uint32_t actor, const struct moment *now, int step)
{
    uint32_t key = row * OUTER_KINDS + (uint32_t)kind;
    if (!ARRAY_RESERVE(profile->rows, profile->rows_capacity, (size_t)key + 1))
        return false;
    for (; profile->nrows <= key; profile->nrows++)
        memset(profile->rows[profile->nrows], 0, sizeof *profile->rows);
    return take(profile, key, actor, now, step);
}

bool profile_outer_unit(struct profile_outer *profile, uint32_t actor, const struct moment *now,
                        int step)
{
    return !profile->known || profile->outer.lost || take(profile, UNITS, actor, now, step);
}

bool profile_outer_end(struct profile_outer *profile)
{
    bool good = !profile->known || outer_end(&profile->outer);
    profile->known = profile->known && !profile->outer.lost;
    return good;
}

static const struct outer_presence *find_row(const struct profile_outer *profile, uint32_t row,
                                             enum outer_kind kind, enum outer_end end)
{
    static const struct outer_presence none = {0};
    size_t at = (size_t)row * OUTER_KINDS + (size_t)kind;
    return at < profile->nrows ? &profile->rows[at][end] : &none;
}

/* Make a range that includes the estimate, even outside of the limits if timestamps step back. */
static csy_range range_of(int64_t estimate, int128 least, int128 most)
{
    csy_range out = {estimate, nearest_int64(least), nearest_int64(most), CSY_RANGE_PROVEN};
    out.lo = out.lo < estimate ? out.lo : estimate;
    out.hi = out.hi > estimate ? out.hi : estimate;
    return out;
}

/* Find the greatest sum of actors' times. *off is its timestamp error, twice for each time. */
static int128 sum_of(const struct profile_outer *profile, uint32_t row, enum outer_kind kind,
                     const csy_range *sum, int128 *off)
{
    *off = (int128)find_row(profile, row, kind, OUTER_MOST)->entries *
           profile->outer.reach->added_ticks;
    if (sum->kind != CSY_RANGE_UNKNOWN)
        *off += places_own(profile->outer.reach->places, sum->hi + *off);
    return sum->kind == CSY_RANGE_UNKNOWN ? (int128)INT64_MAX : sum->hi + *off;
}

/* Make a range that is at most the sum of actors' times. */
static csy_range within_sum(const struct profile_outer *profile, uint32_t row, enum outer_kind kind,
                            int64_t estimate, const csy_range *sum, int128 least, int128 most)
{
    int128 off, all = sum_of(profile, row, kind, sum, &off);
    return range_of(estimate, least, most < all ? most : all);
}

csy_range profile_outer_range(const struct profile_outer *profile, uint32_t row,
                              enum outer_kind kind, int64_t estimate, const csy_range *sum)
{
    if (!profile->known)
        return (csy_range){.estimate = estimate, .kind = CSY_RANGE_UNKNOWN};
    return within_sum(profile, row, kind, estimate, sum,
                      find_row(profile, row, kind, OUTER_LEAST)->ticks,
                      find_row(profile, row, kind, OUTER_MOST)->ticks);
}

csy_range profile_outer_alone(const struct profile_outer *profile, uint32_t row, int64_t estimate,
                              const csy_range *sum)
{
    if (!profile->known)
        return (csy_range){.estimate = estimate, .kind = CSY_RANGE_UNKNOWN};
    return within_sum(profile, row, OUTER_DIRECT, estimate, sum,
                      find_row(profile, row, OUTER_DIRECT, OUTER_LEAST)->alone,
                      find_row(profile, row, OUTER_DIRECT, OUTER_MOST)->alone);
}

csy_range profile_outer_together(const struct profile_outer *profile, uint32_t row,
                                 int64_t estimate, const csy_range *sum)
{
    if (!profile->known || sum->kind == CSY_RANGE_UNKNOWN)
        return (csy_range){.estimate = estimate, .kind = CSY_RANGE_UNKNOWN};
    int128 off, all = sum_of(profile, row, OUTER_DIRECT, sum, &off);
    int128 least = sum->lo - off - find_row(profile, row, OUTER_DIRECT, OUTER_MOST)->alone;
    int128 most = all - find_row(profile, row, OUTER_DIRECT, OUTER_LEAST)->alone;
    return range_of(estimate, least > 0 ? least : 0, most);
}

csy_range profile_outer_greatest(const struct profile_outer *profile, uint32_t row,
                                 int64_t estimate)
{
    if (!profile->known)
        return (csy_range){.estimate = estimate, .kind = CSY_RANGE_UNKNOWN};
    return range_of(estimate, find_row(profile, row, OUTER_INSIDE, OUTER_LEAST)->greatest,
                    find_row(profile, row, OUTER_INSIDE, OUTER_MOST)->greatest);
}

/* --- Calls that are concurrent with others ---------------------------------------------------- */

/* Link two open calls. NO_OUTER_CALL stands for an end of the list. */
static void link_calls(struct calls_outer *c, uint32_t before, uint32_t after)
{
    *(before == NO_OUTER_CALL ? &c->first : &c->items[before].after) = after;
    *(after == NO_OUTER_CALL ? &c->last : &c->items[after].before) = before;
}

static void begin(struct calls_outer *c, enum outer_end end, uint32_t index)
{
    struct outer_call *call = &c->items[index];
    struct outer_call_view *view = &call->views[end];
    struct outer_group *group = &c->groups[call->group];
    view->begun = ++c->views[end].now;
    /* a call that ended first meets a call of another group that is still open */
    if (view->ended > 0) {
        uint32_t i = c->first;
        while (i != NO_OUTER_CALL && c->items[i].group == call->group)
            i = c->items[i].after;
        view->met = i != NO_OUTER_CALL && c->items[i].views[OUTER_LEAST].begun < view->ended;
        if (call->presence) {
            /* Note a call that ended before it began. */
            const struct outer_short now = {call->views[OUTER_LEAST].ended, call->group};
            struct outer_short *best = c->shorts, *own = &best[best[0].group != now.group];
            if (own->ended < now.ended)
                *own = now;
            if (best[1].ended > best[0].ended) {
                best[1] = best[0];
                best[0] = now;
            }
        }
        return;
    }
    if (call->presence) {
        c->views[end].open++;
        c->views[end].entries++;
        group->views[end].open++;
        group->views[end].entries++;
        if (end == OUTER_LEAST) {
            link_calls(c, c->last, index);
            link_calls(c, index, NO_OUTER_CALL);
        }
    }
    view->met = c->views[end].open > group->views[end].open;
    view->others = c->views[end].entries - group->views[end].entries;
}

static void finish(struct calls_outer *c, enum outer_end end, uint32_t index)
{
    struct outer_call *call = &c->items[index];
    struct outer_call_view *view = &call->views[end];
    struct outer_group *group = &c->groups[call->group];
    view->ended = ++c->views[end].now;
    if (view->begun == 0) {
        c->outer.lost |= end == OUTER_MOST; /* no limits are known if timestamps step back */
        return;
    }
    view->met |= c->views[end].entries - group->views[end].entries > view->others;
    if (end == OUTER_LEAST)
        view->met |= c->shorts[c->shorts[0].group == call->group].ended > view->begun;
    if (!call->presence)
        return;
    c->views[end].open--;
    group->views[end].open--;
    if (end == OUTER_LEAST)
        link_calls(c, call->before, call->after);
}

static bool pass_call(void *user, enum outer_end end, const struct outer_change *change)
{
    struct calls_outer *c = user;
    struct outer_call *call = &c->items[change->key];
    if (change->sign > 0)
        begin(c, end, change->key);
    else
        finish(c, end, change->key);
    if (++call->passed < 2 * OUTER_ENDS)
        return true;
    c->rows[call->row].must += call->here || call->views[OUTER_LEAST].met;
    c->rows[call->row].may += call->here || call->views[OUTER_MOST].met;
    call->after = c->freed;
    c->freed = change->key;
    return true;
}

csy_status calls_outer_init(struct calls_outer *c, const struct reach *reach,
                            const struct instants *in, csy_error *error)
{
    size_t n = in->actors.count;
    *c =
        (struct calls_outer){.freed = NO_OUTER_CALL, .first = NO_OUTER_CALL, .last = NO_OUTER_CALL};
    c->shorts[0].group = c->shorts[1].group = NO_ACTOR;
    if (!reach || reach->greatest == MOVES_NONE)
        return CSY_OK;
    c->known = true;
    c->nclocks = reach->n;
    c->of = calloc(n + 1, sizeof *c->of);
    c->groups = calloc(c->nclocks + n + 1, sizeof *c->groups);
    if (!c->of || !c->groups)
        return error_memory(error);
    for (uint32_t i = 0; i < n; i++)
        c->of[i] = in->actors.items[i].nstays == 1 && reach->added_ticks == 0
                       ? NO_ACTOR
                       : (uint32_t)c->nclocks + i;
    outer_init(&c->outer, reach, in->sync, pass_call, c);
    return CSY_OK;
}

void calls_outer_fini(struct calls_outer *c)
{
    if (c->known)
        outer_fini(&c->outer);
    free(c->of);
    free(c->groups);
    free(c->items);
    free(c->rows);
    *c = (struct calls_outer){0};
}

bool calls_outer_add(struct calls_outer *c, uint32_t actor, uint32_t row, bool presence,
                     const struct moment *now, uint32_t *out)
{
    if (!ARRAY_RESERVE(c->rows, c->rows_capacity, (size_t)row + 1) ||
        !ARRAY_RESERVE(c->items, c->capacity, c->nitems + 1))
        return false;
    for (; c->nrows <= row; c->nrows++)
        c->rows[c->nrows] = (struct outer_row){0};
    *out = c->freed != NO_OUTER_CALL ? c->freed : (uint32_t)c->nitems++;
    if (c->freed != NO_OUTER_CALL)
        c->freed = c->items[c->freed].after;
    uint32_t of = c->of[actor] == NO_ACTOR ? now->clock : c->of[actor];
    struct outer_group *group = &c->groups[of];
    group->inside += presence;
    group->entries += presence;
    c->items[*out] = (struct outer_call){.row = row,
                                         .actor = actor,
                                         .group = of,
                                         .others = group->entries,
                                         .presence = presence,
                                         .here = group->inside > 1};
    const struct outer_change change = {.key = *out, .actor = actor, .sign = 1};
    return outer_take(&c->outer, now, &change);
}

bool calls_outer_end_one(struct calls_outer *c, uint32_t index, const struct moment *now)
{
    struct outer_call *call = &c->items[index];
    struct outer_group *group = &c->groups[call->group];
    call->here |= group->entries > call->others;
    group->inside -= call->presence;
    const struct outer_change change = {.key = index, .actor = call->actor, .sign = -1};
    return outer_take(&c->outer, now, &change);
}

bool calls_outer_end(struct calls_outer *c)
{
    bool good = !c->known || outer_end(&c->outer);
    if (c->outer.lost)
        calls_outer_fini(c);
    return good;
}

csy_range calls_outer_range(const struct calls_outer *c, uint32_t row, int64_t estimate)
{
    csy_range out = {.estimate = estimate, .kind = CSY_RANGE_UNKNOWN};
    if (!c->known || row >= c->nrows)
        return out;
    out.kind = CSY_RANGE_PROVEN;
    out.lo = (int64_t)c->rows[row].must < estimate ? (int64_t)c->rows[row].must : estimate;
    out.hi = (int64_t)c->rows[row].may > estimate ? (int64_t)c->rows[row].may : estimate;
    return out;
}

csy_range calls_outer_rest(const csy_range *concurrent, int64_t calls)
{
    csy_range out = *concurrent;
    out.estimate = calls - concurrent->estimate;
    if (out.kind != CSY_RANGE_UNKNOWN) {
        out.lo = calls - concurrent->hi;
        out.hi = calls - concurrent->lo;
    }
    return out;
}
