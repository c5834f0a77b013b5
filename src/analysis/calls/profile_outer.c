/* Elapsed time of routines by outer places. */
#include "analysis/calls/profile_outer.h"

#include "base/array.h"

#include <stdlib.h>
#include <string.h>

/* A key of its own, for units. */
#define UNITS UINT32_MAX

/* Whether one may be active alone, or must be: the true number is between both. */
static bool is_alone(const struct outer_alone *alone, enum outer_end end)
{
    int64_t most = alone->units[OUTER_MOST], least = alone->units[OUTER_LEAST];
    return end == OUTER_MOST ? most >= 1 && least <= 1 : most == 1 && least == 1;
}

static void count_alone(struct outer_alone *alone, int64_t now)
{
    for (int end = 0; end < OUTER_ENDS; end++)
        if (is_alone(alone, (enum outer_end)end))
            alone->ticks[end] += (int128)now - alone->since;
    alone->since = now;
}

static bool pass(void *user, enum outer_end end, const struct outer_change *change)
{
    struct profile_outer *profile = user;
    int32_t *depth = &profile->depths[change->actor][end];
    struct outer_presence *row = change->key == UNITS ? NULL : &profile->rows[change->key][end];
    int64_t *there = row ? &row->actors : &profile->alone.units[end];
    int64_t before = *there;
    count_alone(&profile->alone, change->ticks);
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
    return outer_take(&profile->outer, now->clock, now->global_ticks, &change);
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

static int64_t limited(int128 ticks)
{
    return fits_int64(ticks) ? (int64_t)ticks : ticks < 0 ? INT64_MIN : INT64_MAX;
}

/* With the estimate in it, whatever stamps that go back make of that. */
static csy_range range_of(int64_t estimate, int128 least, int128 most)
{
    csy_range out = {estimate, limited(least), limited(most), CSY_RANGE_PROVEN};
    out.lo = out.lo < estimate ? out.lo : estimate;
    out.hi = out.hi > estimate ? out.hi : estimate;
    return out;
}

/* What a sum of times of actors is at most, and how far it is from as it is stamped: each has two
 * stamps. */
static int128 sum_of(const struct profile_outer *profile, uint32_t row, enum outer_kind kind,
                     const csy_range *sum, int128 *off)
{
    *off = (int128)find_row(profile, row, kind, OUTER_MOST)->entries *
           profile->outer.reach->added_ticks;
    return sum->kind == CSY_RANGE_UNKNOWN ? (int128)INT64_MAX : sum->hi + *off;
}

/* What is no more than the sum of times of actors. */
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
