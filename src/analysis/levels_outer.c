/* Levels by outer places. */
#include "analysis/levels_outer.h"

#include "base/error.h"

#include <stdlib.h>

/* Between two changes of one end so many were active. */
static void count(struct levels_outer *o, enum outer_end end, int64_t until)
{
    struct outer_now *now = &o->now[end];
    int128 far = (int128)o->outer.reach->greatest + o->outer.reach->added_ticks;
    while (now->first_block < o->nblocks && o->blocks[now->first_block].until[end] <= now->since)
        now->first_block++;
    for (size_t i = now->first_block; now->active > 0 && i < o->nblocks; i++) {
        struct outer_times *block = &o->blocks[i];
        int64_t a = block->from[end] > now->since ? block->from[end] : now->since;
        int64_t b = block->until[end] < until ? block->until[end] : until;
        if (block->begin_ticks - far > until)
            break; /* nor any after it */
        if (b > a)
            block->times[end][now->active] += (int128)b - a;
    }
    now->since = until;
}

static bool pass(void *user, enum outer_end end, const struct outer_change *change)
{
    struct levels_outer *o = user;
    struct outer_now *now = &o->now[end];
    int32_t *depth = &now->depth[change->actor];
    count(o, end, change->ticks);
    now->active -= *depth > 0;
    *depth += change->sign;
    now->active += *depth > 0;
    return true;
}

static int64_t limited(int128 ticks)
{
    return fits_int64(ticks) ? (int64_t)ticks : ticks < 0 ? INT64_MIN : INT64_MAX;
}

static csy_status begin_block(struct outer_times *out, size_t nlevels, csy_error *error)
{
    for (int end = 0; end < OUTER_ENDS; end++) {
        out->from[end] = INT64_MIN;
        out->until[end] = INT64_MAX;
        out->times[end] = calloc(nlevels + 1, sizeof *out->times[end]);
        if (!out->times[end])
            return error_memory(error);
    }
    return CSY_OK;
}

csy_status levels_outer_init(struct levels_outer *o, const struct reach *reach,
                             const csy_sync *sync, size_t nactors, size_t nlevels, size_t nblocks,
                             csy_error *error)
{
    uint128 bytes = (uint128)nblocks * (nlevels + 1) * OUTER_ENDS * sizeof(int128);
    *o = (struct levels_outer){.nlevels = nlevels, .nblocks = nblocks};
    o->known = bytes <= LEVELS_OUTER_BYTES;
    if (!o->known)
        return CSY_OK;
    outer_init(&o->outer, reach, sync, pass, o);
    o->blocks = calloc(nblocks + 1, sizeof *o->blocks);
    csy_status status = o->blocks ? CSY_OK : error_memory(error);
    for (size_t i = 0; !status && i < nblocks; i++)
        status = begin_block(&o->blocks[i], nlevels, error);
    for (int end = 0; !status && end < OUTER_ENDS; end++) {
        o->now[end] =
            (struct outer_now){.depth = calloc(nactors + 1, sizeof(int32_t)), .since = INT64_MIN};
        status = o->now[end].depth ? CSY_OK : error_memory(error);
    }
    return status;
}

void levels_outer_bound(struct levels_outer *o, size_t block, const struct moment *first,
                        const struct moment *last)
{
    struct outer_times *out = &o->blocks[block];
    out->begin_ticks = first->global_ticks;
    for (int end = 0; end < OUTER_ENDS; end++) {
        bool most = end == OUTER_MOST;
        out->from[end] = limited(outer_place(&o->outer, first->clock, first->global_ticks, !most));
        out->until[end] = limited(outer_place(&o->outer, last->clock, last->global_ticks, most));
    }
}

void levels_outer_fini(struct levels_outer *o)
{
    for (int end = 0; end < OUTER_ENDS; end++) {
        free(o->now[end].depth);
        for (size_t i = 0; o->blocks && i < o->nblocks; i++)
            free(o->blocks[i].times[end]);
    }
    free(o->blocks);
    outer_fini(&o->outer);
    *o = (struct levels_outer){0};
}

bool levels_outer_take(struct levels_outer *o, const struct change *change)
{
    const struct outer_change placed = {.actor = change->actor, .sign = change->sign};
    return !o->known || change->sign == 0 ||
           outer_take(&o->outer, change->clock, change->global_ticks, &placed);
}

bool levels_outer_end(struct levels_outer *o)
{
    bool good = !o->known || outer_end(&o->outer);
    o->known = o->known && !o->outer.lost;
    return good;
}

/* Times with at least so many, of one end, and at the end their sum. */
static csy_status fill(const int128 *times, int sign, struct majorants *out, csy_error *error)
{
    size_t nlevels = out->n, nclocks = out->nclocks;
    int128 time = 0, sum = 0;
    majorants_fini(out);
    csy_status status = majorants_init(out, nlevels, nclocks, sign, error);
    for (size_t level = nlevels; !status && level > 0; level--) {
        time += times[level];
        sum += time;
        /* NOLINTNEXTLINE(bugprone-implicit-widening-of-multiplication-result) */
        out->levels[level - 1].number = PARTS * sign * time;
    }
    if (!status)
        /* NOLINTNEXTLINE(bugprone-implicit-widening-of-multiplication-result) */
        out->levels[nlevels].number = PARTS * sign * sum;
    return status;
}

csy_status levels_outer_fill(const struct levels_outer *o, size_t block, struct majorants *above,
                             struct majorants *below, csy_error *error)
{
    csy_status status = fill(o->blocks[block].times[OUTER_MOST], 1, above, error);
    return status ? status : fill(o->blocks[block].times[OUTER_LEAST], -1, below, error);
}
