/* Calls that are concurrent with others, by outer places. */
#include "analysis/calls/calls_outer.h"

#include "base/array.h"
#include "base/error.h"

#include <stdlib.h>
#include <string.h>

enum { PLACES = 2 * OUTER_ENDS };

static uint32_t group_of(const struct calls_outer *c, uint32_t actor, uint32_t clock)
{
    return c->of[actor] == NO_ACTOR ? clock : c->of[actor];
}

/* --- One after the other -------------------------------------------------------------------- */

static void append(struct calls_outer *c, uint32_t index)
{
    struct outer_call *call = &c->items[index];
    call->before = c->last;
    call->after = NO_OUTER_CALL;
    if (c->last == NO_OUTER_CALL)
        c->first = index;
    else
        c->items[c->last].after = index;
    c->last = index;
}

static void take_out(struct calls_outer *c, uint32_t index)
{
    const struct outer_call *call = &c->items[index];
    if (call->before == NO_OUTER_CALL)
        c->first = call->after;
    else
        c->items[call->before].after = call->after;
    if (call->after == NO_OUTER_CALL)
        c->last = call->before;
    else
        c->items[call->after].before = call->before;
}

/* Whether another group's call was open before then, and still is. */
static bool is_around(const struct calls_outer *c, const struct outer_call *call, uint64_t then)
{
    uint32_t i = c->first;
    while (i != NO_OUTER_CALL && c->items[i].group == call->group)
        i = c->items[i].after;
    return i != NO_OUTER_CALL && c->items[i].views[OUTER_LEAST].begun < then;
}

/* Of a call that has ended before it begins. */
static void note_short(struct calls_outer *c, const struct outer_call *call)
{
    const struct outer_short now = {call->views[OUTER_LEAST].ended, call->group};
    struct outer_short *best = c->shorts, *own = &best[best[0].group != now.group];
    if (own->ended < now.ended)
        *own = now;
    if (best[1].ended > best[0].ended) {
        best[1] = best[0];
        best[0] = now;
    }
}

/* Whether one of another group has ended since then, and begun. */
static bool is_within(const struct calls_outer *c, const struct outer_call *call, uint64_t then)
{
    return c->shorts[c->shorts[0].group == call->group].ended > then;
}

static void begin(struct calls_outer *c, enum outer_end end, uint32_t index)
{
    struct outer_call *call = &c->items[index];
    struct outer_call_view *view = &call->views[end];
    struct outer_group *group = &c->groups[call->group];
    view->begun = ++c->views[end].now;
    if (view->ended > 0) {
        view->met = is_around(c, call, view->ended);
        if (call->presence)
            note_short(c, call);
        return;
    }
    if (call->presence) {
        c->views[end].open++;
        c->views[end].entries++;
        group->views[end].open++;
        group->views[end].entries++;
        if (end == OUTER_LEAST)
            append(c, index);
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
        c->outer.lost |= end == OUTER_MOST; /* stamps go back */
        return;
    }
    view->met |= c->views[end].entries - group->views[end].entries > view->others;
    if (end == OUTER_LEAST)
        view->met |= is_within(c, call, view->begun);
    if (!call->presence)
        return;
    c->views[end].open--;
    group->views[end].open--;
    if (end == OUTER_LEAST)
        take_out(c, index);
}

/* All of it is known. */
static void count(struct calls_outer *c, uint32_t index)
{
    struct outer_call *call = &c->items[index];
    struct outer_row *row = &c->rows[call->row];
    row->must += call->here || call->views[OUTER_LEAST].met;
    row->may += call->here || call->views[OUTER_MOST].met;
    call->after = c->freed;
    c->freed = index;
}

static bool pass(void *user, enum outer_end end, const struct outer_change *change)
{
    struct calls_outer *c = user;
    if (change->sign > 0)
        begin(c, end, change->key);
    else
        finish(c, end, change->key);
    if (++c->items[change->key].passed == PLACES)
        count(c, change->key);
    return true;
}

/* --- Calls ---------------------------------------------------------------------------------- */

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
    outer_init(&c->outer, reach, in->sync, pass, c);
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

/* Room for a call, and for its row. */
static bool find_room(struct calls_outer *c, uint32_t row, uint32_t *out)
{
    if (!ARRAY_RESERVE(c->rows, c->rows_capacity, (size_t)row + 1))
        return false;
    for (; c->nrows <= row; c->nrows++)
        c->rows[c->nrows] = (struct outer_row){0};
    *out = c->freed;
    if (c->freed != NO_OUTER_CALL) {
        c->freed = c->items[c->freed].after;
        return true;
    }
    if (!ARRAY_RESERVE(c->items, c->capacity, c->nitems + 1))
        return false;
    *out = (uint32_t)c->nitems++;
    return true;
}

bool calls_outer_add(struct calls_outer *c, uint32_t actor, uint32_t row, bool presence,
                     const struct moment *now, uint32_t *out)
{
    if (!find_room(c, row, out))
        return false;
    uint32_t of = group_of(c, actor, now->clock);
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
    return outer_take(&c->outer, now->clock, now->global_ticks, &change);
}

bool calls_outer_end_one(struct calls_outer *c, uint32_t index, const struct moment *now)
{
    struct outer_call *call = &c->items[index];
    struct outer_group *group = &c->groups[call->group];
    call->here |= group->entries > call->others;
    group->inside -= call->presence;
    const struct outer_change change = {.key = index, .actor = call->actor, .sign = -1};
    return outer_take(&c->outer, now->clock, now->global_ticks, &change);
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
