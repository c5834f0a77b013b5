/* Elapsed time of routines by outer places. */
#include "analysis/profile_outer.h"

#include "base/array.h"

#include <stdlib.h>
#include <string.h>

static bool pass(void *user, enum outer_end end, const struct outer_change *change)
{
    struct profile_outer *o = user;
    int32_t *depth = &o->depths[change->actor][end];
    struct outer_presence *row = &o->rows[change->key][end];
    int64_t before = row->actors;
    row->actors -= *depth > 0;
    *depth += change->sign;
    row->actors += *depth > 0;
    if (before == 0 && row->actors > 0)
        row->since = change->ticks;
    if (before > 0 && row->actors == 0)
        row->ticks += (int128)change->ticks - row->since;
    return true;
}

void profile_outer_init(struct profile_outer *o, const struct reach *reach, const csy_sync *sync)
{
    *o = (struct profile_outer){.known = reach && reach->greatest < MOVES_NONE};
    if (o->known)
        outer_init(&o->outer, reach, sync, pass, o);
}

void profile_outer_fini(struct profile_outer *o)
{
    outer_fini(&o->outer);
    texts_fini(&o->by);
    free(o->depths);
    free(o->rows);
    *o = (struct profile_outer){0};
}

bool profile_outer_step(struct profile_outer *o, uint32_t row, enum outer_kind kind, uint32_t actor,
                        const struct moment *now, int step)
{
    const uint32_t key[2] = {row * OUTER_KINDS + (uint32_t)kind, actor};
    struct outer_change change = {.key = key[0], .sign = step};
    bool added;
    if (!o->known || o->outer.lost)
        return true;
    if (!texts_find(&o->by, (const char *)key, sizeof key, &change.actor, &added) ||
        !ARRAY_RESERVE(o->depths, o->depths_capacity, o->by.count) ||
        !ARRAY_RESERVE(o->rows, o->rows_capacity, (size_t)key[0] + 1))
        return false;
    if (added)
        memset(o->depths[change.actor], 0, sizeof *o->depths);
    for (; o->nrows <= key[0]; o->nrows++)
        memset(o->rows[o->nrows], 0, sizeof *o->rows);
    return outer_take(&o->outer, now->clock, now->global_ticks, &change);
}

bool profile_outer_end(struct profile_outer *o)
{
    bool good = !o->known || outer_end(&o->outer);
    o->known = o->known && !o->outer.lost;
    return good;
}

csy_range profile_outer_range(const struct profile_outer *o, uint32_t row, enum outer_kind kind,
                              int64_t estimate, const csy_range *sum)
{
    csy_range out = {.estimate = estimate, .kind = CSY_RANGE_UNKNOWN};
    size_t at = (size_t)row * OUTER_KINDS + (size_t)kind;
    int128 least = 0, most = 0;
    if (!o->known)
        return out;
    if (at < o->nrows) {
        least = o->rows[at][OUTER_LEAST].ticks;
        most = o->rows[at][OUTER_MOST].ticks;
    }
    /* A sum of times is as stamped. */
    bool exact = sum->kind != CSY_RANGE_UNKNOWN && o->outer.reach->added_ticks == 0;
    most = exact && most > sum->hi ? sum->hi : most;
    out.lo = least < estimate ? (int64_t)least : estimate;
    out.hi = most > estimate && fits_int64(most) ? (int64_t)most
             : most > estimate                   ? INT64_MAX
                                                 : estimate;
    out.kind = CSY_RANGE_PROVEN;
    return out;
}
