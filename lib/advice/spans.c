/* Finds the time from first to last record of each thread (its span), and the pairs of threads with
 * the largest error bounds. */
#include "advice/spans.h"

#include "base/error.h"
#include "base/sort.h"
#include "sync/placement.h"

#include <stdlib.h>

/* Compare two spans of one array by error bound, then by index. */
static int by_bound(const void *a, const void *b)
{
    const struct span *p = *(struct span *const *)a, *q = *(struct span *const *)b;
    return COMPARE_THEN(p->bound, q->bound, COMPARE(p, q));
}

csy_status spans_init(struct spans *lives, const struct csy_sync *sync, csy_error *error)
{
    size_t n = sync->survey.threads.count;
    *lives = (struct spans){.n = n};
    lives->items = calloc(n, sizeof *lives->items);
    lives->order = calloc(n, sizeof *lives->order);
    const struct span **ranked = calloc(n, sizeof(struct span *));
    csy_status status = lives->items && lives->order && ranked ? CSY_OK : error_memory(error);
    for (size_t t = 0; t < n && !status; t++) {
        const struct thread *thread = &sync->survey.threads.items[t];
        const csy_thread *view = &sync->views[t];
        struct span *life = &lives->items[t];
        int128 first = placement_of(sync, t, thread->first_ticks);
        int128 last = placement_of(sync, t, thread->last_ticks);
        if (!fits_int64(first) || !fits_int64(last))
            status = error_set(error, CSY_INPUT, "%s: global times do not fit 64 bits",
                               sync->trace->name);
        life->begin = (int64_t)(first < last ? first : last);
        life->end = (int64_t)(first < last ? last : first);
        bool none = view->earliest_ticks == INT64_MIN || view->latest_ticks == INT64_MAX;
        life->bound = none ? BOUND_NONE
                           : csy_sync_event_error(sync, view->latest_ticks - view->earliest_ticks);
        lives->begin = t == 0 || life->begin < lives->begin ? life->begin : lives->begin;
        lives->end = t == 0 || life->end > lives->end ? life->end : lives->end;
        ranked[t] = life;
    }
    if (!status)
        sort_pointers(ranked, n, by_bound);
    for (size_t i = 0; i < n && !status; i++) {
        lives->order[i] = (size_t)(ranked[i] - lives->items);
        lives->nbounded += ranked[i]->bound != BOUND_NONE;
    }
    free(ranked);
    if (status)
        spans_fini(lives);
    return status;
}

void spans_fini(struct spans *lives)
{
    free(lives->items);
    free(lives->order);
    *lives = (struct spans){0};
}

static int64_t bound_at(const struct spans *lives, size_t rank)
{
    return lives->items[lives->order[rank]].bound;
}

int64_t spans_most(const struct spans *lives)
{
    return lives->nbounded ? bound_at(lives, lives->nbounded - 1) : 0;
}

int64_t spans_median(const struct spans *lives)
{
    return lives->nbounded ? bound_at(lives, lives->nbounded / 2) : 0;
}

static bool is_wider(const struct wide_pair *a, const struct wide_pair *b)
{
    if (a->error != b->error)
        return a->error > b->error;
    return a->s != b->s ? a->s < b->s : a->t < b->t;
}

csy_status widest_find(const struct csy_sync *sync, const struct spans *lives, struct widest *out,
                       csy_error *error)
{
    struct widest widest = {.n = 0};
    int64_t *room = malloc(lives->n * sizeof *room), *errors = malloc(lives->n * sizeof *errors);
    csy_status status = room && errors ? CSY_OK : error_memory(error);
    size_t left = lives->nbounded;
    for (size_t source = 0; source < WIDEST_SOURCES_MAX && !status; source++) {
        /* Pairs that were not examined yet consist of the first `left` threads in `order`. Their
         * errors are at most `most`. */
        int128 most = left < 2 ? -1
                               : (int128)lives->items[lives->order[left - 1]].bound +
                                     lives->items[lives->order[left - 2]].bound -
                                     csy_sync_event_error(sync, 0);
        widest.certain =
            left < 2 || (widest.n == WIDEST_PAIRS && widest.pairs[WIDEST_PAIRS - 1].error >= most);
        if (widest.certain)
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
