/* How far sums of times may be from their estimates if clocks drift. */
#include "analysis/ranges/form_tubes.h"

#include "base/array.h"
#include "clock/knots.h"

#include <stdlib.h>
#include <string.h>

static void free_tubes(struct form_tubes *tubes)
{
    for (size_t i = 0; i < tubes->ntubes; i++) {
        tube_fini(&tubes->tubes[i].up);
        tube_fini(&tubes->tubes[i].down);
        free(tubes->tubes[i].waiting);
    }
    free(tubes->tubes);
    keys_fini(&tubes->keys);
    tubes->tubes = NULL;
    tubes->ntubes = tubes->tubes_capacity = 0;
}

void form_tubes_fini(struct form_tubes *tubes)
{
    free_tubes(tubes);
    free(tubes->forms);
    *tubes = (struct form_tubes){.places = NULL};
}

static bool reserve(struct form_tubes *tubes, size_t count)
{
    if (!ARRAY_RESERVE(tubes->forms, tubes->forms_capacity, count))
        return false;
    for (; tubes->nforms < count; tubes->nforms++)
        tubes->forms[tubes->nforms] = (struct form_drift){.up = 0};
    return true;
}

static void add_product(int128 *sum, bool *none, int128 a, int128 b)
{
    int128 product;
    if (__builtin_mul_overflow(a, b, &product) || __builtin_add_overflow(*sum, product, sum))
        *none = true;
}

/* Limit an instant by itself. */
static void add_alone(struct form_drift *form, int64_t early, int64_t late, int64_t c)
{
    int64_t most = c > 0 ? late : early, least = c > 0 ? early : late;
    int128 size = (c > 0 ? c : -(int128)c) * AGE_UNIT;
    form->no_up |= most == PLACE_NONE;
    form->no_down |= least == PLACE_NONE;
    if (!form->no_up)
        add_product(&form->up, &form->no_up, size, most);
    if (!form->no_down)
        add_product(&form->down, &form->no_down, size, least);
}

/* Move the first waiting instant into the tubes. */
static bool flush_one(const struct form_tubes *tubes, struct clock_tube *tube)
{
    const struct tube_waiting at = tube->waiting[0];
    int128 by = (int128)at.local_ticks - tube->local_ticks;
    int128 shown = ((int128)at.global_ticks - tube->global_ticks - by) * AGE_UNIT;
    int128 rate = by * tubes->places->rate_ppb;
    struct tube_instant instant = {.least = -(int128)at.early * AGE_UNIT,
                                   .greatest = (int128)at.late * AGE_UNIT,
                                   .slow = tube->begun ? -rate - shown : 0,
                                   .fast = tube->begun ? rate - shown : 0,
                                   .c = at.c};
    if (!tube_add(&tube->up, &instant))
        return false;
    instant.c = -at.c;
    if (!tube_add(&tube->down, &instant))
        return false;
    tube->begun = true;
    tube->local_ticks = at.local_ticks;
    tube->global_ticks = at.global_ticks;
    tube->nwaiting--;
    memmove(tube->waiting, tube->waiting + 1, tube->nwaiting * sizeof at);
    return true;
}

/* Put an instant on the waiting list, or merge it with one at the same reading. */
static bool put(struct clock_tube *tube, const struct tube_waiting *instant)
{
    size_t at = tube->nwaiting;
    while (at > 0 && tube->waiting[at - 1].local_ticks > instant->local_ticks)
        at--;
    struct tube_waiting *before = at > 0 ? &tube->waiting[at - 1] : NULL;
    int64_t c;
    if (before && before->local_ticks == instant->local_ticks &&
        before->global_ticks == instant->global_ticks &&
        !__builtin_add_overflow(before->c, instant->c, &c)) {
        before->c = c;
        return true;
    }
    if (!ARRAY_RESERVE(tube->waiting, tube->waiting_capacity, tube->nwaiting + 1))
        return false;
    memmove(tube->waiting + at + 1, tube->waiting + at,
            (tube->nwaiting - at) * sizeof *tube->waiting);
    tube->waiting[at] = *instant;
    tube->nwaiting++;
    return true;
}

bool form_tubes_own(struct form_tubes *tubes, size_t form, int128 ticks)
{
    if (!reserve(tubes, form + 1))
        return false;
    tubes->forms[form].own += ticks < 0 ? -ticks : ticks;
    return true;
}

static bool add_instant(struct form_tubes *tubes, size_t form, const struct moment *at, int64_t c)
{
    struct tube_waiting instant = {at->local_ticks, at->global_ticks, 0, 0, c};
    uint32_t index;
    bool added;
    if (!reserve(tubes, form + 1))
        return false;
    struct form_drift *of = &tubes->forms[form];
    places_at(tubes->places, at, &instant.early, &instant.late);
    of->crosses = true;
    if (tubes->ntubes >= FORM_TUBES_MAX || instant.early == PLACE_NONE ||
        instant.late == PLACE_NONE || c == INT64_MIN) {
        add_alone(of, instant.early, instant.late, c);
        return true;
    }
    if (!keys_find(&tubes->keys, (uint64_t)form << 32 | at->clock, &index, &added) ||
        !ARRAY_RESERVE(tubes->tubes, tubes->tubes_capacity, tubes->keys.count))
        return false;
    if (added)
        tubes->tubes[tubes->ntubes++] = (struct clock_tube){.form = form};
    struct clock_tube *tube = &tubes->tubes[index];
    if (tube->begun && at->local_ticks < tube->local_ticks) {
        add_alone(of, instant.early, instant.late, c);
        return true;
    }
    return put(tube, &instant) && (tube->nwaiting <= TUBE_WAITING_MAX || flush_one(tubes, tube));
}

bool form_tubes_add(struct form_tubes *tubes, size_t form, const struct moment *begin,
                    const struct moment *end, int64_t times)
{
    int64_t less, more;
    if (!reserve(tubes, form + 1))
        return false;
    struct form_drift *of = &tubes->forms[form];
    int128 size = times < 0 ? -(int128)times : times;
    places_apart(tubes->places, begin, end, &less, &more);
    int64_t up = times > 0 ? more : less, down = times > 0 ? less : more;
    of->no_each_up |= up == PLACE_NONE;
    of->no_each_down |= down == PLACE_NONE;
    of->each_up += size * up;
    of->each_down += size * down;
    return add_instant(tubes, form, begin, -times) && add_instant(tubes, form, end, times);
}

static void settle_end(const struct tube *tube, int128 *end, bool *none)
{
    int128 greatest;
    if (!tube_greatest(tube, &greatest) || __builtin_add_overflow(*end, greatest, end))
        *none = true;
}

/* Lower a limit to `ticks` if that is less. */
static void take_less(int128 *parts, bool *none, int128 ticks, bool no_ticks)
{
    int128 limit;
    if (no_ticks || __builtin_mul_overflow(ticks, (int128)AGE_UNIT, &limit) ||
        (!*none && limit >= *parts))
        return;
    *parts = limit;
    *none = false;
}

bool form_tubes_settle(struct form_tubes *tubes)
{
    for (size_t i = 0; i < tubes->ntubes; i++) {
        struct clock_tube *tube = &tubes->tubes[i];
        struct form_drift *form = &tubes->forms[tube->form];
        while (tube->nwaiting > 0)
            if (!flush_one(tubes, tube))
                return false;
        settle_end(&tube->up, &form->up, &form->no_up);
        settle_end(&tube->down, &form->down, &form->no_down);
    }
    free_tubes(tubes);
    for (size_t i = 0; i < tubes->nforms; i++) {
        struct form_drift *form = &tubes->forms[i];
        take_less(&form->up, &form->no_up, form->each_up, form->no_each_up);
        take_less(&form->down, &form->no_down, form->each_down, form->no_each_down);
        form->no_each_up = form->no_each_down = true; /* the limits of each time are settled */
    }
    return true;
}

bool form_tubes_derive(struct form_tubes *tubes, size_t from, size_t to, int64_t times)
{
    size_t count = (from > to ? from : to) + 1;
    int128 size = times < 0 ? -(int128)times : times;
    if (!reserve(tubes, count))
        return false;
    const struct form_drift *a = &tubes->forms[from];
    struct form_drift *b = &tubes->forms[to];
    b->own += size * a->own;
    b->no_each_up = b->no_each_down = true; /* the limits of each time are settled */
    b->crosses |= a->crosses;
    b->no_up |= times > 0 ? a->no_up : a->no_down;
    b->no_down |= times > 0 ? a->no_down : a->no_up;
    if (!b->no_up)
        add_product(&b->up, &b->no_up, size, times > 0 ? a->up : a->down);
    if (!b->no_down)
        add_product(&b->down, &b->no_down, size, times > 0 ? a->down : a->up);
    return true;
}

struct form_drift form_tubes_of(const struct form_tubes *tubes, size_t form)
{
    return form < tubes->nforms ? tubes->forms[form] : (struct form_drift){.up = 0};
}
