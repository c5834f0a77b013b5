/* Finds the greatest value of a weighted sum over the events of a drifting clock. The head of
 * tube.h explains the method and the function V. */
#include "analysis/ranges/tube.h"

#include "base/array.h"

#include <stdlib.h>
#include <string.h>

void tube_fini(struct tube *tube)
{
    free(tube->breaks);
    *tube = (struct tube){0};
}

/* Returns value + by * slope. If the result overflows, sets tube->lost. */
static int128 along(struct tube *tube, int128 value, int128 by, int64_t slope)
{
    int128 product, sum;
    if (__builtin_mul_overflow(by, (int128)slope, &product) ||
        __builtin_add_overflow(value, product, &sum)) {
        tube->lost = true;
        return 0;
    }
    return sum;
}

static int128 plus(struct tube *tube, int128 a, int128 b)
{
    return along(tube, a, b, 1);
}

/* Replace the two closest breakpoints of V (places where its slope changes) by one breakpoint where
 * the lines on both sides meet. Its place is rounded up, so that V does not become too small. */
static void merge_closest(struct tube *tube)
{
    size_t at = 0;
    for (size_t i = 1; i + 1 < tube->count; i++)
        if (tube->breaks[i + 1].place - tube->breaks[i].place <
            tube->breaks[at + 1].place - tube->breaks[at].place)
            at = i;
    struct tube_break *a = &tube->breaks[at], *b = a + 1;
    int128 apart = b->place - a->place, part;
    int64_t drop;
    if (__builtin_add_overflow(a->drop, b->drop, &drop) ||
        __builtin_mul_overflow(apart, (int128)b->drop, &part)) {
        tube->lost = true;
        return;
    }
    a->place += ceil_div(part, drop);
    a->drop = drop;
    memmove(b, b + 1, (tube->count - at - 2) * sizeof *b);
    tube->count--;
}

static bool insert(struct tube *tube, size_t at, int128 place, int64_t drop)
{
    if (drop == 0)
        return true;
    if (!ARRAY_RESERVE(tube->breaks, tube->capacity, tube->count + 1))
        return false;
    memmove(tube->breaks + at + 1, tube->breaks + at, (tube->count - at) * sizeof *tube->breaks);
    tube->breaks[at] = (struct tube_break){place, drop};
    tube->count++;
    return true;
}

/* Move the rising part of V by `slow`, and the falling part by `fast`; tube.h explains why. */
static bool move(struct tube *tube, int128 slow, int128 fast)
{
    size_t peak = 0;
    int64_t slope = tube->slope;
    while (slope > 0 && peak < tube->count && slope > tube->breaks[peak].drop)
        slope -= tube->breaks[peak++].drop;
    const bool rises = tube->slope > 0, ends = slope > 0 && peak == tube->count;
    const int128 until = tube->until;
    for (size_t i = 0; i < peak; i++)
        tube->breaks[i].place = plus(tube, tube->breaks[i].place, slow);
    for (size_t i = peak; i < tube->count; i++)
        tube->breaks[i].place = plus(tube, tube->breaks[i].place, fast);
    bool good = true;
    if (!rises) {
        int128 top = plus(tube, tube->from, fast);
        good = insert(tube, 0, top, -tube->slope);
        tube->slope = 0;
    } else if (ends) {
        good = insert(tube, peak, plus(tube, until, slow), slope);
    } else {
        struct tube_break *top = &tube->breaks[peak];
        int128 left = plus(tube, top->place, slow - fast);
        int64_t rest = top->drop - slope;
        if (rest > 0) {
            top->drop = rest;
            good = insert(tube, peak, left, slope);
        } else {
            top->place = left;
        }
    }
    tube->from = plus(tube, tube->from, slow);
    tube->until = plus(tube, until, fast);
    return good;
}

bool tube_add(struct tube *tube, const struct tube_instant *instant)
{
    if (tube->lost)
        return true;
    if (!tube->begun) {
        tube->begun = true;
        tube->from = instant->least;
        tube->until = instant->greatest;
        tube->lost = tube->from > tube->until;
    } else {
        tube->lost = instant->slow > instant->fast;
        if (instant->slow != 0 || instant->fast != 0)
            if (!tube->lost && !move(tube, instant->slow, instant->fast))
                return false;
        size_t passed = 0;
        tube->lost |= instant->least > instant->greatest || instant->least > tube->until ||
                      instant->greatest < tube->from;
        if (!tube->lost) {
            while (passed < tube->count && tube->breaks[passed].place <= instant->least) {
                const struct tube_break *item = &tube->breaks[passed++];
                tube->value = along(tube, tube->value, item->place - tube->from, tube->slope);
                tube->from = item->place;
                tube->slope -= item->drop;
            }
            if (instant->least > tube->from) {
                tube->value = along(tube, tube->value, instant->least - tube->from, tube->slope);
                tube->from = instant->least;
            }
            if (passed > 0) {
                tube->count -= passed;
                memmove(tube->breaks, tube->breaks + passed, tube->count * sizeof *tube->breaks);
            }
            if (instant->greatest < tube->until)
                tube->until = instant->greatest;
            while (tube->count > 0 && tube->breaks[tube->count - 1].place >= tube->until)
                tube->count--;
        }
    }
    if (tube->lost)
        return true;
    tube->value = along(tube, tube->value, tube->from, instant->c);
    tube->lost |= __builtin_add_overflow(tube->slope, instant->c, &tube->slope);
    while (tube->count > TUBE_BREAKS_MAX && !tube->lost)
        merge_closest(tube);
    return true;
}

bool tube_greatest(const struct tube *tube, int128 *out)
{
    struct tube sum = *tube;
    *out = 0;
    if (tube->lost)
        return false;
    for (size_t i = 0; i < sum.count && sum.slope > 0; i++) {
        sum.value = along(&sum, sum.value, sum.breaks[i].place - sum.from, sum.slope);
        sum.from = sum.breaks[i].place;
        sum.slope -= sum.breaks[i].drop;
    }
    if (sum.slope > 0)
        sum.value = along(&sum, sum.value, sum.until - sum.from, sum.slope);
    *out = sum.lost ? 0 : sum.value;
    return !sum.lost;
}
