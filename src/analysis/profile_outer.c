/* Elapsed time of routines by outer places. */
#include "analysis/profile_outer.h"

#include "base/array.h"

#include <stdlib.h>
#include <string.h>

static bool pass(void *user, enum outer_end end, const struct outer_change *change)
{
    struct profile_outer *profile = user;
    int32_t *depth = &profile->depths[change->actor][end];
    struct outer_presence *row = &profile->rows[change->key][end];
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

bool profile_outer_step(struct profile_outer *profile, uint32_t row, enum outer_kind kind,
                        uint32_t actor, const struct moment *now, int step)
{
    const uint32_t key[2] = {row * OUTER_KINDS + (uint32_t)kind, actor};
    struct outer_change change = {.key = key[0], .sign = step};
    bool added;
    if (!profile->known || profile->outer.lost)
        return true;
    if (!texts_find(&profile->by, (const char *)key, sizeof key, &change.actor, &added) ||
        !ARRAY_RESERVE(profile->depths, profile->depths_capacity, profile->by.count) ||
        !ARRAY_RESERVE(profile->rows, profile->rows_capacity, (size_t)key[0] + 1))
        return false;
    if (added)
        memset(profile->depths[change.actor], 0, sizeof *profile->depths);
    for (; profile->nrows <= key[0]; profile->nrows++)
        memset(profile->rows[profile->nrows], 0, sizeof *profile->rows);
    return outer_take(&profile->outer, now->clock, now->global_ticks, &change);
}

bool profile_outer_end(struct profile_outer *profile)
{
    bool good = !profile->known || outer_end(&profile->outer);
    profile->known = profile->known && !profile->outer.lost;
    return good;
}

csy_range profile_outer_range(const struct profile_outer *profile, uint32_t row,
                              enum outer_kind kind, int64_t estimate, const csy_range *sum)
{
    csy_range out = {.estimate = estimate, .kind = CSY_RANGE_UNKNOWN};
    size_t at = (size_t)row * OUTER_KINDS + (size_t)kind;
    int128 least = 0, most = 0;
    if (!profile->known)
        return out;
    if (at < profile->nrows) {
        least = profile->rows[at][OUTER_LEAST].ticks;
        most = profile->rows[at][OUTER_MOST].ticks;
    }
    /* A sum of times is as stamped. */
    bool exact = sum->kind != CSY_RANGE_UNKNOWN && profile->outer.reach->added_ticks == 0;
    most = exact && most > sum->hi ? sum->hi : most;
    out.lo = least < estimate ? (int64_t)least : estimate;
    out.hi = most > estimate && fits_int64(most) ? (int64_t)most
             : most > estimate                   ? INT64_MAX
                                                 : estimate;
    out.kind = CSY_RANGE_PROVEN;
    return out;
}
