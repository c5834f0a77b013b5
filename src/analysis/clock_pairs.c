/* Pairs of clocks, and by how much they may move against one another. */
#include "analysis/clock_pairs.h"

#include "analysis/forms.h"
#include "base/array.h"
#include "base/error.h"

#include <stdlib.h>

void clock_pairs_fini(struct clock_pairs *pairs)
{
    free(pairs->items);
    texts_fini(&pairs->keys);
    *pairs = (struct clock_pairs){0};
}

bool clock_pairs_add(struct clock_pairs *pairs, uint32_t a, uint32_t b, uint32_t *out)
{
    const uint32_t key[2] = {a < b ? a : b, a < b ? b : a};
    bool added;
    if (!texts_find(&pairs->keys, (const char *)key, sizeof key, out, &added) ||
        !ARRAY_RESERVE(pairs->items, pairs->capacity, pairs->keys.count))
        return false;
    if (added)
        pairs->items[pairs->count++] = (struct moving_pair){key[0], key[1], 0, 0};
    return true;
}

const struct moving_pair *clock_pairs_look(const struct clock_pairs *pairs, uint32_t a, uint32_t b)
{
    const uint32_t key[2] = {a < b ? a : b, a < b ? b : a};
    uint32_t index;
    return texts_look(&pairs->keys, (const char *)key, sizeof key, &index) ? &pairs->items[index]
                                                                           : NULL;
}

/* A pair in the order in which bounds are found: those from one clock one after another. */
struct ordered_pair {
    uint32_t s, t;
    size_t index;
};

static int compare(const void *a, const void *b)
{
    const struct ordered_pair *x = a, *y = b;
    return x->s != y->s ? (x->s > y->s ? 1 : -1) : (x->t > y->t) - (x->t < y->t);
}

static int64_t difference(int64_t a, int64_t b, int64_t more, bool none)
{
    int128 found = (int128)a - b + more;
    return none || !fits_int64(found) ? CLOCK_PAIR_NONE : (int64_t)found;
}

static csy_status find_one(csy_sync *sync, struct moving_pair *pair, csy_error *error)
{
    int64_t lower, upper, estimate;
    csy_status status = csy_sync_bounds(sync, pair->s, pair->t, &lower, &upper, NULL, error);
    if (status)
        return status;
    if (__builtin_sub_overflow(sync->views[pair->s].offset_ticks, sync->views[pair->t].offset_ticks,
                               &estimate)) {
        pair->up = pair->down = CLOCK_PAIR_NONE;
        return CSY_OK;
    }
    pair->down = difference(upper, estimate, 0, upper == INT64_MAX);
    pair->up = difference(estimate, lower, 0, lower == INT64_MIN);
    return CSY_OK;
}

static void find_by_reference(const csy_sync *sync, struct moving_pair *pair)
{
    const csy_thread *s = &sync->views[pair->s], *t = &sync->views[pair->t];
    int64_t early_s =
        difference(s->offset_ticks, s->earliest_ticks, 0, s->earliest_ticks == INT64_MIN);
    int64_t late_s = difference(s->latest_ticks, s->offset_ticks, 0, s->latest_ticks == INT64_MAX);
    int64_t early_t =
        difference(t->offset_ticks, t->earliest_ticks, 0, t->earliest_ticks == INT64_MIN);
    int64_t late_t = difference(t->latest_ticks, t->offset_ticks, 0, t->latest_ticks == INT64_MAX);
    pair->up =
        difference(late_t, 0, early_s, late_t == CLOCK_PAIR_NONE || early_s == CLOCK_PAIR_NONE);
    pair->down =
        difference(early_t, 0, late_s, early_t == CLOCK_PAIR_NONE || late_s == CLOCK_PAIR_NONE);
}

csy_status clock_pairs_find(struct clock_pairs *pairs, csy_sync *sync, csy_error *error)
{
    bool known = csy_sync_ranges(sync) != CSY_RANGES_NONE;
    bool star =
        csy_sync_ranges(sync) == CSY_RANGES_STAR || sync->survey.threads.count > FORMS_CLOCKS_MAX;
    pairs->kind = !known ? CSY_RANGE_UNKNOWN : star ? CSY_RANGE_STAR : CSY_RANGE_PROVEN;
    if (!known)
        return CSY_OK;
    if (star) {
        for (size_t i = 0; i < pairs->count; i++)
            find_by_reference(sync, &pairs->items[i]);
        return CSY_OK;
    }
    struct ordered_pair *order = calloc(pairs->count + 1, sizeof *order);
    csy_status status = order ? CSY_OK : error_memory(error);
    for (size_t i = 0; order && i < pairs->count; i++)
        order[i] = (struct ordered_pair){pairs->items[i].s, pairs->items[i].t, i};
    if (order && pairs->count > 1)
        qsort(order, pairs->count, sizeof *order, compare);
    for (size_t i = 0; i < pairs->count && !status; i++)
        status = find_one(sync, &pairs->items[order[i].index], error);
    free(order);
    return status;
}
