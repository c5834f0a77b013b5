/* See widest.h. */
#include "advice/widest.h"

#include "base/error.h"

#include <stdlib.h>

static bool is_wider(const struct wide_pair *a, const struct wide_pair *b)
{
    if (a->error != b->error)
        return a->error > b->error;
    return a->s != b->s ? a->s < b->s : a->t < b->t;
}

/* Returns true if no pair of threads with ranks up to `left` is wider than the listed pairs. */
static bool is_certain(const struct widest *widest, const struct csy_sync *sync,
                       const struct spans *lives, size_t left)
{
    if (left < 2)
        return true;
    int128 most = (int128)lives->items[lives->order[left - 1]].bound +
                  lives->items[lives->order[left - 2]].bound - csy_sync_event_error(sync, 0);
    return widest->n == WIDEST_PAIRS && widest->pairs[WIDEST_PAIRS - 1].error >= most;
}

csy_status widest_find(const struct csy_sync *sync, const struct spans *lives, struct widest *out,
                       csy_error *error)
{
    struct widest widest = {.n = 0};
    int64_t *room = malloc(lives->n * sizeof *room), *errors = malloc(lives->n * sizeof *errors);
    csy_status status = room && errors ? CSY_OK : error_memory(error);
    size_t left = lives->nbounded;
    for (size_t source = 0; source < WIDEST_SOURCES_MAX && !status; source++) {
        if ((widest.certain = is_certain(&widest, sync, lives, left)))
            break;
        size_t s = lives->order[--left];
        status = bounds_errors(&sync->bounds, s, room, errors, error);
        for (size_t i = 0; i < left && !status; i++) {
            size_t t = lives->order[i];
            const struct wide_pair pair = {s < t ? s : t, s < t ? t : s,
                                           csy_sync_event_error(sync, errors[t])};
            size_t k = widest.n;
            if (k == WIDEST_PAIRS && !is_wider(&pair, &widest.pairs[--k]))
                continue;
            for (; k > 0 && is_wider(&pair, &widest.pairs[k - 1]); k--)
                widest.pairs[k] = widest.pairs[k - 1];
            widest.pairs[k] = pair;
            widest.n += widest.n < WIDEST_PAIRS;
        }
    }
    free(room);
    free(errors);
    if (!status)
        *out = widest;
    return status;
}
