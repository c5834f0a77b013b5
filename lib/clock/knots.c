/* See knots.h. */
#include "clock/knots.h"

#include "base/array.h"

#include <stdlib.h>

int128 knots_part(int128 value, int64_t num, int64_t den)
{
    int128 whole = floor_div(value, den);
    return whole * num + floor_div((value - whole * den) * num, den);
}

void knots_fini(struct knots *knots)
{
    free(knots->items);
    *knots = (struct knots){0};
}

static struct knots_line line_of(const struct knot *knot, int64_t rate, int64_t from, int64_t to)
{
    int128 ticks = floor_div(knot->age, AGE_UNIT);
    return (struct knots_line){.knot = *knot,
                               .rate = rate,
                               .length = 1,
                               .from = from,
                               .to = to,
                               .ticks = ticks,
                               .part = (int64_t)(knot->age - ticks * AGE_UNIT)};
}

static struct knots_line line_between(const struct knot *a, const struct knot *b)
{
    int128 length = (int128)b->local_ticks - a->local_ticks, by = b->age - a->age;
    int128 rate = floor_div(by, length);
    struct knots_line line = line_of(a, (int64_t)rate, a->local_ticks, b->local_ticks);
    line.rest = (int64_t)(by - rate * length);
    line.length = (int64_t)length;
    return line;
}

void knots_make(struct knot *items, size_t n, int64_t rate, struct knots *out)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        const struct knot knot = items[i];
        if (count > 1) { /* A knot is not needed if the line does not bend there. */
            const struct knots_line ab = line_between(&items[count - 2], &items[count - 1]);
            const struct knots_line bc = line_between(&items[count - 1], &knot);
            count -=
                ab.rate == bc.rate && (int128)ab.rest * bc.length == (int128)bc.rest * ab.length;
        }
        items[count++] = knot;
    }
    ARRAY_FIT(items, n, count);
    *out = (struct knots){items, count, rate};
}

struct knots_line knots_line(const struct knots *knots, int64_t local_ticks)
{
    size_t low = 0, high = knots->count;
    while (low + 1 < high) {
        size_t middle = low + (high - low) / 2;
        if (knots->items[middle].local_ticks <= local_ticks)
            low = middle;
        else
            high = middle;
    }
    const struct knot *knot = &knots->items[low];
    if (local_ticks < knot->local_ticks)
        return line_of(knot, knots->rate, INT64_MIN, knot->local_ticks);
    if (low + 1 == knots->count)
        return line_of(knot, knots->rate, knot->local_ticks, INT64_MAX);
    return line_between(knot, knot + 1);
}

int128 knots_age(const struct knots *knots, int64_t local_ticks)
{
    const struct knots_line line = knots_line(knots, local_ticks);
    int128 by = (int128)local_ticks - line.knot.local_ticks;
    return line.knot.age + line.rate * by + line.rest * by / line.length;
}
