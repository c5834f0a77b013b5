/* Sorts the sends and receives of channels that several locations of one clock share. */
#include "order/shared_ends.h"

#include "base/array.h"
#include "base/heap.h"

#include <stdlib.h>

struct shared_clock {
    struct shared_end *heap;
    size_t count, capacity;
    int64_t least; /* no location of the clock has further sends and receives before this time */
    size_t first;  /* index in `members` of the first location of the clock */
};

struct shared_ends {
    const uint32_t *clocks;
    int64_t *reached; /* [l]: time before which location l has no further sends and receives */
    /* for each clock; the locations of clock c end before of[c + 1].first */
    struct shared_clock *of;
    size_t *members, nlocations; /* locations, grouped by clock */
};

void shared_ends_free(struct shared_ends *ends)
{
    if (!ends)
        return;
    for (size_t c = 0; ends->of && c < ends->nlocations; c++)
        free(ends->of[c].heap);
    FREE_ALL(ends->of, ends->reached, ends->members, ends);
}

struct shared_ends *shared_ends_new(const uint32_t *clocks, size_t nlocations)
{
    struct shared_ends *ends = calloc(1, sizeof *ends);
    if (!ends)
        return NULL;
    *ends = (struct shared_ends){.clocks = clocks, .nlocations = nlocations};
    ends->of = calloc(nlocations + 1, sizeof *ends->of);
    ends->reached = malloc((nlocations + 1) * sizeof *ends->reached);
    ends->members = malloc((nlocations + 1) * sizeof *ends->members);
    if (!ends->of || !ends->reached || !ends->members) {
        shared_ends_free(ends);
        return NULL;
    }
    for (size_t l = 0; l < ends->nlocations; l++)
        ends->of[ends->clocks[l] + 1].first++;
    for (size_t c = 0; c < ends->nlocations; c++)
        ends->of[c + 1].first += ends->of[c].first;
    for (size_t l = 0; l < ends->nlocations; l++)
        ends->members[ends->of[ends->clocks[l]].first++] = l;
    for (size_t c = ends->nlocations; c > 0; c--)
        ends->of[c].first = ends->of[c - 1].first;
    ends->of[0].first = 0;
    for (size_t i = 0; i <= nlocations; i++)
        ends->reached[i] = ends->of[i].least = INT64_MIN;
    return ends;
}

/* Compares for the heap: by time, then by the order of the trace. */
static bool is_before(const void *left, const void *right)
{
    const struct shared_end *a = left, *b = right;
    if (a->ticks != b->ticks)
        return a->ticks < b->ticks;
    return a->location != b->location ? a->location < b->location : a->position < b->position;
}

static struct shared_clock *clock_of(const struct shared_ends *ends, size_t location)
{
    return &ends->of[ends->clocks[location]];
}

bool shared_ends_put(struct shared_ends *ends, const struct shared_end *end)
{
    struct shared_clock *clock = clock_of(ends, end->location);
    if (!ARRAY_RESERVE(clock->heap, clock->capacity, clock->count + 1))
        return false;
    heap_put(clock->heap, &clock->count, sizeof *end, end, is_before);
    return true;
}

void shared_ends_reach(struct shared_ends *ends, size_t location, int64_t ticks)
{
    struct shared_clock *clock = clock_of(ends, location);
    bool least = ends->reached[location] == clock->least;
    ends->reached[location] = ticks;
    if (!least || ticks == clock->least)
        return;
    clock->least = INT64_MAX;
    for (size_t i = clock->first; i < clock[1].first; i++)
        if (ends->reached[ends->members[i]] < clock->least)
            clock->least = ends->reached[ends->members[i]];
}

bool shared_ends_next(struct shared_ends *ends, size_t location, struct shared_end *out)
{
    struct shared_clock *clock = clock_of(ends, location);
    if (clock->count == 0 || (clock->heap->ticks >= clock->least && clock->least < INT64_MAX))
        return false;
    heap_take(clock->heap, &clock->count, sizeof *out, out, is_before);
    return true;
}

bool shared_ends_want(const struct shared_ends *ends, size_t location)
{
    const struct shared_clock *clock = clock_of(ends, location);
    return clock->count > 0 && ends->reached[location] == clock->least;
}
