/* Pairs of clocks, and by how much they may move against one another. */
#include "analysis/ranges/clock_pairs.h"

#include "analysis/ranges/forms.h"
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

csy_status clock_pairs_find(struct clock_pairs *pairs, csy_sync *sync, csy_error *error)
{
    struct moves moves;
    csy_status status = moves_init(&moves, sync, error);
    if (status)
        return status;
    moves.star |= sync->survey.threads.count > FORMS_CLOCKS_MAX;
    pairs->kind = !moves.known ? CSY_RANGE_UNKNOWN : moves.star ? CSY_RANGE_STAR : CSY_RANGE_PROVEN;
    struct ordered_pair *order = calloc(pairs->count + 1, sizeof *order);
    if (!order)
        status = error_memory(error);
    for (size_t i = 0; order && i < pairs->count; i++)
        order[i] = (struct ordered_pair){pairs->items[i].s, pairs->items[i].t, i};
    if (order && pairs->count > 1)
        qsort(order, pairs->count, sizeof *order, compare);
    for (size_t i = 0; moves.known && i < pairs->count && !status; i++)
        status = moves_between(&moves, order[i].s, order[i].t, &pairs->items[order[i].index].down,
                               &pairs->items[order[i].index].up, error);
    free(order);
    moves_fini(&moves);
    return status;
}
