/* Pairs of threads that are live together, over time.
 *
 * A pair covers consecutive bins. Counts and sums are stored as changes from bin to bin. A maximum
 * is stored for two overlapping runs of 2^k bins that cover these bins; the runs are split at the
 * end. */
#include "base/error.h"
#include "bounds/concurrent.h"
#include "output/page/precision.h"

#include <stdlib.h>

enum { LEVELS = 8 }; /* 2^LEVELS > PRECISION_BINS */

_Static_assert(PRECISION_BINS < 1 << LEVELS, "runs of all lengths have a level");

/* What is added from this bin on, compared with the bins before. */
struct change {
    int64_t pairs, bounded;
    int128 sum;
};

struct pair_changes {
    struct precision *course;
    const struct spans *lives;
    struct change changes[PRECISION_BINS + 1];
    int64_t most[LEVELS][PRECISION_BINS]; /* maximum for 2^level bins from here on; -1: none */
};

static void raise(int64_t *most, int64_t bound)
{
    *most = bound > *most ? bound : *most;
}

static void change(struct change *change, int sign, int64_t error_ticks)
{
    bool bounded = error_ticks >= 0;
    change->pairs += sign;
    change->bounded += bounded ? sign : 0;
    change->sum += bounded ? (int128)sign * error_ticks : 0;
}

/* Add a pair. error_ticks is -1 if the pair is not bounded. */
static void take_pair(struct pair_changes *g, const struct span *s, const struct span *t,
                      int64_t error_ticks)
{
    size_t n = g->course->nbins;
    size_t first = spans_part(g->lives, s->begin > t->begin ? s->begin : t->begin, n);
    size_t last = spans_part(g->lives, s->end < t->end ? s->end : t->end, n);
    last = last < first ? first : last; /* if timestamps step back, last may be before first */
    change(&g->changes[first], 1, error_ticks);
    change(&g->changes[last + 1], -1, error_ticks);
    size_t level = 0;
    while ((size_t)2 << level <= last - first + 1)
        level++;
    raise(&g->most[level][first], error_ticks);
    raise(&g->most[level][last + 1 - ((size_t)1 << level)], error_ticks);
}

static void fill_bins(struct pair_changes *g)
{
    struct change so_far = {0, 0, 0};
    for (size_t level = LEVELS; level-- > 1;) {
        size_t half = (size_t)1 << (level - 1);
        for (size_t i = 0; i + half < g->course->nbins; i++) {
            raise(&g->most[level - 1][i], g->most[level][i]);
            raise(&g->most[level - 1][i + half], g->most[level][i]);
        }
    }
    for (size_t i = 0; i < g->course->nbins; i++) {
        so_far.pairs += g->changes[i].pairs;
        so_far.bounded += g->changes[i].bounded;
        so_far.sum += g->changes[i].sum;
        g->course->bins[i].together =
            (struct precision_pairs){so_far.pairs, so_far.bounded, so_far.sum, g->most[0][i]};
        raise(&g->course->pairs_most, g->most[0][i]);
    }
    g->course->has_pairs = true;
}

csy_status precision_take_pairs(struct precision *course, const struct spans *lives,
                                const struct csy_sync *sync, uint64_t pairs_max, csy_error *error)
{
    struct concurrent together;
    if (sync->summary.live.pairs > pairs_max)
        return CSY_OK;
    struct pair_changes *g = calloc(1, sizeof *g);
    struct pair_tally_thread *threads = solution_tally_threads(sync);
    csy_status status = g && threads ? concurrent_gather(&sync->bounds, threads, &together, error)
                                     : error_memory(error);
    free(threads);
    if (!status) {
        g->course = course;
        g->lives = lives;
        for (size_t level = 0; level < LEVELS; level++)
            for (size_t i = 0; i < PRECISION_BINS; i++)
                g->most[level][i] = -1;
        for (size_t s = 0; s < lives->n; s++) {
            size_t count = concurrent_count(&together, s);
            for (size_t t = s + 1; t <= s + count; t++) {
                struct walks_between walks = concurrent_walks(&together, s, t);
                take_pair(g, &lives->items[s], &lives->items[t],
                          csy_sync_event_error(sync, walk_width(walks.there, walks.back)));
            }
        }
        fill_bins(g);
        concurrent_fini(&together);
    }
    free(g);
    return status;
}
