/* The readings of clocks that drift. */
#include "check/readings.h"

#include "base/array.h"
#include "base/error.h"

#include <stdlib.h>

void readings_fini(struct readings *readings)
{
    free(readings->items);
    free(readings->first_of);
    free(readings->least);
    free(readings->greatest);
    *readings = (struct readings){0};
}

csy_status readings_add(struct readings *readings, const struct reading *reading, csy_error *error)
{
    if (readings->count == UINT32_MAX ||
        !ARRAY_RESERVE(readings->items, readings->capacity, readings->count + 1))
        return error_memory(error);
    readings->items[readings->count++] = *reading;
    return CSY_OK;
}

/* By clock and local time, written ones first. */
static int compare(const void *one, const void *other)
{
    const struct reading *a = one, *b = other;
    if (a->clock != b->clock)
        return a->clock < b->clock ? -1 : 1;
    if (a->x != b->x)
        return a->x < b->x ? -1 : 1;
    if (a->written != b->written)
        return a->written ? -1 : 1;
    return (a->position > b->position) - (a->position < b->position);
}

csy_status readings_sort(struct readings *readings, size_t nclocks, size_t reference,
                         uint64_t *wrong, csy_error *error)
{
    size_t kept = 0, t = 0;
    *wrong = UINT64_MAX;
    if (readings->count > 0)
        qsort(readings->items, readings->count, sizeof *readings->items, compare);
    for (size_t i = 0; i < readings->count; i++) {
        const struct reading *next = &readings->items[i];
        struct reading *last = &readings->items[kept > 0 ? kept - 1 : 0];
        if (kept == 0 || last->clock != next->clock || last->x != next->x) {
            readings->items[kept++] = *next;
            continue;
        }
        if (next->written && reading_written(next) != reading_written(last))
            *wrong = next->position;
        last->records += next->records;
    }
    readings->count = kept;
    readings->nclocks = nclocks;
    readings->reference = reference;
    readings->first_of = malloc((nclocks + 1) * sizeof *readings->first_of);
    readings->least = malloc((kept + 1) * sizeof *readings->least);
    readings->greatest = malloc((kept + 1) * sizeof *readings->greatest);
    if (!readings->first_of || !readings->least || !readings->greatest)
        return error_memory(error);
    for (size_t i = 0; i <= kept; i++)
        for (; t <= (i < kept ? readings->items[i].clock : nclocks); t++)
            readings->first_of[t] = i;
    return CSY_OK;
}

uint32_t readings_find(const struct readings *readings, uint32_t clock, int64_t x)
{
    size_t low = readings->first_of[clock], high = readings->first_of[clock + 1];
    while (low + 1 < high) {
        size_t middle = low + (high - low) / 2;
        if (readings->items[middle].x <= x)
            low = middle;
        else
            high = middle;
    }
    return (uint32_t)low;
}

static int64_t rate_of(const struct readings *readings, size_t clock)
{
    return clock == readings->reference ? 0 : readings->rate_ppb;
}

/* How much time passes from one reading to the next, if the clock gains that. */
static int128 passes(const struct readings *readings, size_t i, int64_t rate_ppb)
{
    return ((int128)readings->items[i + 1].x - readings->items[i].x) * (AGE_UNIT + rate_ppb);
}

void readings_age_up(struct readings *readings, size_t i)
{
    size_t clock = readings->items[i].clock;
    int64_t rate = rate_of(readings, clock);
    if (i == readings->first_of[clock])
        return;
    if (readings->least[i - 1] != -READINGS_NOTHING)
        readings_raise(readings, i, readings->least[i - 1] + passes(readings, i - 1, -rate));
    if (readings->greatest[i - 1] != READINGS_NOTHING)
        readings_lower(readings, i, readings->greatest[i - 1] + passes(readings, i - 1, rate));
}

void readings_age_down(struct readings *readings, size_t i)
{
    size_t clock = readings->items[i].clock;
    int64_t rate = rate_of(readings, clock);
    if (i + 1 == readings->first_of[clock + 1])
        return;
    if (readings->least[i + 1] != -READINGS_NOTHING)
        readings_raise(readings, i, readings->least[i + 1] - passes(readings, i, rate));
    if (readings->greatest[i + 1] != READINGS_NOTHING)
        readings_lower(readings, i, readings->greatest[i + 1] - passes(readings, i, -rate));
}

void readings_age(struct readings *readings)
{
    for (size_t i = 0; i < readings->count; i++)
        readings_age_up(readings, i);
    for (size_t i = readings->count; i-- > 0;)
        readings_age_down(readings, i);
}
