/* See knots.h. */
#include "clock/knots.h"

#include "base/error.h"

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

/* Set rate, rest, and length of a knot such that the line reaches the next reading. */
static void lead(struct knot *knot, int64_t local_ticks, int128 age)
{
    int128 length = (int128)local_ticks - knot->local_ticks, by = age - knot->age;
    int128 rate = floor_div(by, length);
    knot->rate = (int64_t)rate;
    knot->rest = (int64_t)(by - rate * length);
    knot->length = (int64_t)length;
}

static bool is_straight(const struct knot *a, const struct knot *b)
{
    return a->rate == b->rate && (int128)a->rest * b->length == (int128)b->rest * a->length;
}

csy_status knots_make(const int64_t *local_ticks, const int128 *ages, size_t n, int64_t rate,
                      struct knots *out, csy_error *error)
{
    size_t count = 0;
    *out = (struct knots){.items = malloc((n + 1) * sizeof *out->items), .rate = rate};
    if (!out->items)
        return error_memory(error);
    for (size_t i = 0; i < n; i++) {
        struct knot *last = out->items + count;
        if (count > 0)
            lead(&last[-1], local_ticks[i], ages[i]);
        if (count > 1 && is_straight(&last[-2], &last[-1])) {
            lead(&last[-2], local_ticks[i], ages[i]);
            last--;
            count--;
        }
        *last = (struct knot){local_ticks[i], ages[i], rate, 0, 1};
        count++;
    }
    out->count = count;
    return CSY_OK;
}

int128 knots_age(const struct knots *knots, int64_t local_ticks)
{
    size_t low = 0, high = knots->count;
    while (low + 1 < high) { /* find the last knot at or before the local time */
        size_t middle = low + (high - low) / 2;
        if (knots->items[middle].local_ticks <= local_ticks)
            low = middle;
        else
            high = middle;
    }
    const struct knot *knot = &knots->items[low];
    int128 by = (int128)local_ticks - knot->local_ticks;
    if (by < 0)
        return knot->age + knots->rate * by;
    return knot->age + knot->rate * by + knot->rest * by / knot->length;
}
