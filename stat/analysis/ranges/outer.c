/* Computes the shortest and the longest time with each number of active actors, as outer.h
 * explains. */
#include "analysis/ranges/outer.h"

#include "base/array.h"
#include "base/error.h"
#include "base/heap.h"

#include <stdlib.h>

/* Stands for the error between two clocks that have no records at the same time. It exceeds any sum
 * of errors between other clocks. */
#define APART ((int128)1 << 110)

void outer_init(struct outer *o, const struct reach *reach, const csy_sync *sync, outer_pass *pass,
                void *user)
{
    uint32_t best = (uint32_t)sync->reference;
    int128 least = 0;
    for (uint32_t c = 0; !reach->places && c < reach->n; c++) {
        int128 sum = 0;
        for (uint32_t t = 0; t < reach->n; t++) {
            int64_t there = reach_of(reach, t, c), back = reach_of(reach, c, t);
            sum += there == REACH_APART
                       ? APART
                       : (int128)sync->survey.threads.items[t].records * ((int128)there + back);
        }
        if (c == 0 || sum < least) {
            least = sum;
            best = c;
        }
    }
    *o = (struct outer){.reach = reach,
                        .centre = best,
                        .latest = INT64_MIN,
                        .known = true,
                        .star = csy_sync_ranges(sync) == CSY_RANGES_STAR,
                        .pass = pass,
                        .user = user};
    for (int end = 0; end < OUTER_ENDS; end++)
        o->sides[end].passed = INT64_MIN;
}

void outer_fini(struct outer *o)
{
    for (int end = 0; end < OUTER_ENDS; end++)
        free(o->sides[end].items);
    *o = (struct outer){0};
}

/* Returns the latest possible time of a moment if `late`, otherwise the earliest one. */
static int128 outer_place(const struct outer *o, const struct moment *at, bool late)
{
    int64_t by, early_by, late_by;
    if (o->reach->places) {
        places_at(o->reach->places, at, &early_by, &late_by);
        by = late ? late_by : early_by;
    } else {
        by = late ? reach_of(o->reach, at->clock, o->centre)
                  : reach_of(o->reach, o->centre, at->clock);
    }
    int128 far = (int128)by + o->reach->added_ticks;
    return at->global_ticks + (late ? far : -far);
}

/* Returns true if change a comes before change b. If both are at the same time, begins of activity
 * come first to make the active time long (OUTER_MOST), and ends to make it short. */
static bool is_before(enum outer_end end, const struct outer_change *a,
                      const struct outer_change *b)
{
    return a->ticks != b->ticks   ? a->ticks < b->ticks
           : a->sign != b->sign   ? (a->sign > b->sign) == (end == OUTER_MOST)
           : a->actor != b->actor ? a->actor < b->actor
                                  : a->key < b->key;
}

static bool most_before(const void *a, const void *b)
{
    return is_before(OUTER_MOST, a, b);
}

static bool least_before(const void *a, const void *b)
{
    return is_before(OUTER_LEAST, a, b);
}

static heap_order *const orders[OUTER_ENDS] = {most_before, least_before};

/* Call o->pass for the waiting changes up to `until`. No earlier change may be added later. */
static bool pass_until(struct outer *o, int128 until)
{
    bool good = true;
    while (good) {
        const struct outer_side *most = &o->sides[OUTER_MOST], *least = &o->sides[OUTER_LEAST];
        enum outer_end end =
            least->count == 0 || (most->count > 0 && most->items[0].ticks <= least->items[0].ticks)
                ? OUTER_MOST
                : OUTER_LEAST;
        struct outer_side *side = &o->sides[end];
        if (side->count == 0 || side->items[0].ticks > until)
            break;
        struct outer_change first;
        heap_take(side->items, &side->count, sizeof first, &first, orders[end]);
        side->passed = first.ticks;
        good = o->pass(o->user, end, &first);
    }
    return good;
}

bool outer_take(struct outer *o, const struct moment *at, const struct outer_change *change)
{
    bool good = true;
    int128 places[2] = {0, 0};
    o->known = o->known && reach_of(o->reach, at->clock, o->centre) != REACH_APART;
    if (!o->known)
        return true;
    if (o->reach->places) {
        int64_t early, late, added = o->reach->added_ticks;
        places_at(o->reach->places, at, &early, &late);
        places[0] = (int128)at->global_ticks - early - added;
        places[1] = (int128)at->global_ticks + late + added;
    }
    for (int end = 0; good && o->known && end < OUTER_ENDS; end++) {
        struct outer_side *side = &o->sides[end];
        struct outer_change placed = *change;
        bool late = (end == OUTER_MOST) == (change->sign < 0);
        int128 place = o->reach->places ? places[late] : outer_place(o, at, late);
        o->known = fits_int64(place) && place >= side->passed;
        placed.ticks = (int64_t)place;
        good = !o->known || ARRAY_RESERVE(side->items, side->capacity, side->count + 1);
        if (good && o->known)
            heap_put(side->items, &side->count, sizeof placed, &placed, orders[end]);
    }
    if (!o->known)
        return true;
    o->latest = at->global_ticks > o->latest ? at->global_ticks : o->latest;
    /* a later record may have a change that happened this many ticks before o->latest */
    int128 back = (int128)o->reach->greatest + 4 * (int128)o->reach->added_ticks;
    return good && pass_until(o, o->latest - back - 1);
}

bool outer_end(struct outer *o)
{
    return !o->known || pass_until(o, (int128)INT64_MAX);
}

/* --- Levels by outer places --- */

/* Count the time from the last change to `until` in all parts of the trace that contain it. */
static void count(struct levels_outer *levels, enum outer_end end, int64_t until)
{
    struct outer_now *now = &levels->now[end];
    int128 far = (int128)levels->sweep.reach->greatest + levels->sweep.reach->added_ticks;
    while (now->first_block < levels->nblocks &&
           levels->blocks[now->first_block].until[end] <= now->since)
        now->first_block++;
    for (size_t i = now->first_block; now->active > 0 && i < levels->nblocks; i++) {
        struct outer_times *block = &levels->blocks[i];
        int64_t a = block->from[end] > now->since ? block->from[end] : now->since;
        int64_t b = block->until[end] < until ? block->until[end] : until;
        if (block->begin_ticks - far > until)
            break; /* blocks are sorted by begin */
        if (b > a)
            block->times[end][now->active] += (int128)b - a;
    }
    now->since = until;
}

static bool pass(void *user, enum outer_end end, const struct outer_change *change)
{
    struct levels_outer *levels = user;
    struct outer_now *now = &levels->now[end];
    int32_t *depth = &now->depth[change->actor];
    count(levels, end, change->ticks);
    now->active -= *depth > 0;
    *depth += change->sign;
    now->active += *depth > 0;
    return true;
}

bool levels_outer_init(struct levels_outer *levels, const struct reach *reach, const csy_sync *sync,
                       size_t nactors, size_t nlevels, size_t nblocks)
{
    uint128 bytes = (uint128)nblocks * (nlevels + 1) * OUTER_ENDS * sizeof(int128);
    *levels = (struct levels_outer){.nlevels = nlevels, .nblocks = nblocks};
    if (bytes > LEVELS_OUTER_BYTES)
        return true;
    outer_init(&levels->sweep, reach, sync, pass, levels);
    levels->blocks = calloc(nblocks + 1, sizeof *levels->blocks);
    bool good = levels->blocks != NULL;
    for (int end = 0; good && end < OUTER_ENDS; end++) {
        levels->now[end] =
            (struct outer_now){.depth = calloc(nactors + 1, sizeof(int32_t)), .since = INT64_MIN};
        good = levels->now[end].depth != NULL;
        for (size_t i = 0; good && i < nblocks; i++) {
            struct outer_times *out = &levels->blocks[i];
            out->begin_ticks = out->from[end] = INT64_MIN;
            out->until[end] = INT64_MAX;
            out->times[end] = calloc(nlevels + 1, sizeof *out->times[end]);
            good = out->times[end] != NULL;
        }
    }
    return good;
}

void levels_outer_bound(struct levels_outer *levels, size_t block, const struct moment *first,
                        const struct moment *last)
{
    struct outer_times *out = &levels->blocks[block];
    out->begin_ticks = first ? first->global_ticks : INT64_MIN;
    for (int end = 0; end < OUTER_ENDS; end++) {
        bool most = end == OUTER_MOST;
        if (first)
            out->from[end] = nearest_int64(outer_place(&levels->sweep, first, !most));
        if (last)
            out->until[end] = nearest_int64(outer_place(&levels->sweep, last, most));
    }
}

void levels_outer_fini(struct levels_outer *levels)
{
    for (int end = 0; end < OUTER_ENDS; end++) {
        free(levels->now[end].depth);
        for (size_t i = 0; levels->blocks && i < levels->nblocks; i++)
            free(levels->blocks[i].times[end]);
    }
    free(levels->blocks);
    outer_fini(&levels->sweep);
    *levels = (struct levels_outer){0};
}

bool levels_outer_take(struct levels_outer *levels, const struct change *change)
{
    const struct outer_change placed = {.actor = change->actor, .sign = change->sign};
    return !levels->sweep.known || change->sign == 0 ||
           outer_take(&levels->sweep,
                      &(struct moment){change->local_ticks, change->global_ticks, change->clock},
                      &placed);
}

/* times[i] is the time with exactly i active actors. */
static bool fill(const int128 *times, int sign, struct upper_sums *out)
{
    size_t nlevels = out->n, nclocks = out->nclocks;
    int128 time = 0, sum = 0;
    upper_sums_fini(out);
    if (!upper_sums_init(out, nlevels, nclocks, sign))
        return false;
    for (size_t level = nlevels; level > 0; level--) {
        time += times[level];
        sum += time;
        out->levels[level - 1].number = time * PARTS * sign;
    }
    out->levels[nlevels].number = sum * PARTS * sign;
    return true;
}

bool levels_outer_fill(const struct levels_outer *levels, size_t block, struct upper_sums *above,
                       struct upper_sums *below)
{
    return fill(levels->blocks[block].times[OUTER_MOST], 1, above) &&
           fill(levels->blocks[block].times[OUTER_LEAST], -1, below);
}
