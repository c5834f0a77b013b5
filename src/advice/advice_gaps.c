/*
 * Where clocks that drift are known least.
 *
 * A clock whose rate is within [A, B] is bounded best at the points of exchanges that are left.
 * Between two of them, L ticks apart, where its error is u and v, the error grows from both by
 * B - A a tick, and is (u + v + (B - A) L) / 2 at most; at an end of its life it grows from one
 * point only.  K exchanges more, as good as the best of the clock, of an error e, and in equal
 * distances d, leave e + (B - A) d / 2: d is L / (K + 1), and L / (K + 1/2) at an end.
 */
#include "advice/advice_gaps.h"

#include "base/number.h"
#include "sync/placement.h"

/* A clock while its points are walked over. */
struct walk {
    const struct csy_sync *sync;
    size_t thread;
    uint64_t events;
    int128 rates; /* B - A, in parts of RATE_UNIT */
    int128 least; /* error of a point, in parts of AGE_UNIT */
};

/* The error at a local time, in parts of AGE_UNIT. */
static int128 error_at(const struct walk *walk, int64_t local_ticks)
{
    int128 least = 0, greatest = 0;
    drift_bounds(walk->sync, walk->thread, local_ticks, &least, &greatest);
    return greatest - least;
}

static int64_t whole_ticks(int128 parts)
{
    int128 ticks = ceil_div(parts, AGE_UNIT);
    return fits_int64(ticks) ? (int64_t)ticks : INT64_MAX;
}

static bool is_longer(const csy_advised_gap *a, const csy_advised_gap *b)
{
    int128 left = (int128)a->end_local_ticks - a->begin_local_ticks;
    int128 right = (int128)b->end_local_ticks - b->begin_local_ticks;
    if (left != right)
        return left > right;
    return a->thread != b->thread ? a->thread < b->thread
                                  : a->begin_local_ticks < b->begin_local_ticks;
}

static void take(csy_advised_gap gaps[ADVICE_GAPS_MAX], size_t *n, csy_advised_gap gap)
{
    size_t i = *n;
    if (i == ADVICE_GAPS_MAX && !is_longer(&gap, &gaps[--i]))
        return;
    for (; i > 0 && is_longer(&gap, &gaps[i - 1]); i--)
        gaps[i] = gaps[i - 1];
    gaps[i] = gap;
    *n += *n < ADVICE_GAPS_MAX;
}

/* From one local time to another, of which the first or the last may be an end of the clock's
 * life. */
static csy_advised_gap describe(const struct walk *walk, int64_t begin, int64_t end, bool at_end)
{
    int128 length = (int128)end - begin, grown = walk->rates * length;
    int128 u = error_at(walk, begin), v = error_at(walk, end);
    int128 most = at_end ? (u > v ? u : v) : (u + v + grown) / 2;
    int128 parts = at_end ? 2 * (int128)walk->events + 1 : 2 * ((int128)walk->events + 1);
    int128 then = walk->least + ceil_div(grown, parts);
    return (csy_advised_gap){.thread = walk->thread,
                             .begin_local_ticks = begin,
                             .end_local_ticks = end,
                             .at_end = at_end,
                             .error_ticks = whole_ticks(most),
                             .then_ticks = whole_ticks(then < most ? then : most)};
}

static void walk_clock(struct walk *walk, csy_advised_gap gaps[ADVICE_GAPS_MAX], size_t *n)
{
    const struct ageing *ageing = &walk->sync->drift->ageing;
    const struct thread *life = &walk->sync->survey.threads.items[walk->thread];
    const uint32_t *node = ageing->sorted + ageing->first_of[walk->thread];
    size_t count = ageing->first_of[walk->thread + 1] - ageing->first_of[walk->thread];
    int128 offset = walk->sync->survey.rough.offset[walk->thread];
    int64_t first = life->first_ticks < life->last_ticks ? life->first_ticks : life->last_ticks;
    int64_t last = life->first_ticks < life->last_ticks ? life->last_ticks : life->first_ticks;
    int64_t before = first;
    for (size_t i = 0; i < count; i++) {
        int128 error = error_at(walk, (int64_t)(ageing->reading[node[i]] - offset));
        walk->least = i == 0 || error < walk->least ? error : walk->least;
    }
    for (size_t i = 0; i < count; i++) {
        int64_t local = (int64_t)(ageing->reading[node[i]] - offset);
        if (local > before)
            take(gaps, n, describe(walk, before, local, i == 0));
        before = local > before ? local : before;
    }
    if (count > 0 && last > before)
        take(gaps, n, describe(walk, before, last, true));
}

size_t advice_find_gaps(const struct csy_sync *sync, uint64_t events,
                        csy_advised_gap gaps[ADVICE_GAPS_MAX])
{
    size_t n = 0;
    for (size_t t = 0; t < sync->survey.threads.count; t++) {
        const struct ageing_rate *rate = &sync->drift->ageing.rates[t];
        struct walk walk = {.sync = sync,
                            .thread = t,
                            .events = events,
                            .rates = (int128)rate->greatest - rate->least};
        if (t != sync->reference && sync->drift->views[t].bounded)
            walk_clock(&walk, gaps, &n);
    }
    return n;
}
