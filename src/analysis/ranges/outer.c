/* Outer places: where changes can be at the earliest and at the latest. */
#include "analysis/ranges/outer.h"

#include "base/array.h"
#include "base/heap.h"

#include <stdlib.h>

/* More than any other sum. */
#define APART ((int128)1 << 110)

/* Records of a clock count for how far it is. */
static uint32_t find_centre(const struct reach *reach, const csy_sync *sync)
{
    uint32_t best = 0;
    int128 least = 0;
    for (uint32_t c = 0; c < reach->n; c++) {
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
    return best;
}

void outer_init(struct outer *o, const struct reach *reach, const csy_sync *sync, outer_pass *pass,
                void *user)
{
    *o = (struct outer){.reach = reach,
                        .centre = find_centre(reach, sync),
                        .latest = INT64_MIN,
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

int128 outer_place(const struct outer *o, uint32_t clock, int64_t global_ticks, bool late)
{
    int64_t by = late ? reach_of(o->reach, clock, o->centre) : reach_of(o->reach, o->centre, clock);
    int128 far = (int128)by + o->reach->added_ticks;
    return global_ticks + (late ? far : -far);
}

/* At one time, what makes more comes first for what is at most, and last for what is at least; else
 * either order will do, but it is always the same. */
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

static bool put(struct outer *o, enum outer_end end, const struct outer_change *change)
{
    struct outer_side *side = &o->sides[end];
    if (!ARRAY_RESERVE(side->items, side->capacity, side->count + 1))
        return false;
    heap_put(side->items, &side->count, sizeof *change, change, orders[end]);
    return true;
}

/* The end that has the next change. */
static enum outer_end find_next(const struct outer *o)
{
    const struct outer_side *most = &o->sides[OUTER_MOST], *least = &o->sides[OUTER_LEAST];
    return least->count == 0 || (most->count > 0 && most->items[0].ticks <= least->items[0].ticks)
               ? OUTER_MOST
               : OUTER_LEAST;
}

/* All that nothing can come before any more: of which the places are up to there. */
static bool pass(struct outer *o, int128 until)
{
    bool good = true;
    while (good) {
        enum outer_end end = find_next(o);
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

bool outer_take(struct outer *o, uint32_t clock, int64_t global_ticks,
                const struct outer_change *change)
{
    bool good = true;
    o->lost |= reach_of(o->reach, clock, o->centre) == REACH_APART;
    for (int end = 0; good && !o->lost && end < OUTER_ENDS; end++) {
        struct outer_change placed = *change;
        bool late = (end == OUTER_MOST) == (change->sign < 0);
        int128 place = outer_place(o, clock, global_ticks, late);
        o->lost |= !fits_int64(place) || place < o->sides[end].passed;
        placed.ticks = (int64_t)place;
        good = o->lost || put(o, (enum outer_end)end, &placed);
    }
    if (o->lost)
        return true;
    o->latest = global_ticks > o->latest ? global_ticks : o->latest;
    /* a begin may be put after what its stamp is before, by what stamps are off */
    int128 back = (int128)o->reach->greatest + 4 * (int128)o->reach->added_ticks;
    return good && pass(o, o->latest - back - 1);
}

bool outer_end(struct outer *o)
{
    return o->lost || pass(o, (int128)INT64_MAX);
}
