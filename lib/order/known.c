/* Computes the earliest or latest times that points permit each other. */
#include "order/known.h"

#include "base/array.h"
#include "base/error.h"

#include <stdlib.h>

/* Greater latency limits, in ticks, are ignored, because they have no effect (graph/reduce.c). */
#define KNOWN_LIMIT_MAX ((int64_t)1 << 59)

struct walk {
    const struct points *points;
    bool forwards;
    const int64_t *start;
    int64_t *known;             /* for each point: earliest time, or backwards minus the latest */
    int64_t *location, *buffer; /* `known` of the last point of each location or buffer */
};

static csy_status refuse(csy_error *error)
{
    error_set(error, CSY_INPUT, "the sum of a timestamp and latencies does not fit 64 bits");
    return CSY_INPUT;
}

/* Raise *known to other + latency_ticks if this sum is greater. */
static csy_status raise(int64_t *known, int64_t other, int64_t latency_ticks, csy_error *error)
{
    int64_t sum;
    if (other == KNOWN_NONE)
        return CSY_OK;
    if (__builtin_add_overflow(other, latency_ticks, &sum))
        return refuse(error);
    *known = sum > *known ? sum : *known;
    return CSY_OK;
}

/* Returns the entry of the point's location or buffer, or NULL if the point is not in its chain. */
static int64_t *chains_of(const struct walk *w, const struct instant *item, bool of_buffer)
{
    if (of_buffer)
        return item->buffer == NO_BUFFER ? NULL : &w->buffer[item->buffer];
    return item->chained ? &w->location[item->location] : NULL;
}

static csy_status step(struct walk *w, uint32_t p, known_show show, void *user, csy_error *error)
{
    const struct points *points = w->points;
    const struct instant *item = &points->items[p];
    int64_t *known = &w->known[p];
    csy_status status = CSY_OK;
    for (int buffer = 0; buffer < 2 && !status; buffer++) {
        const int64_t *chain = chains_of(w, item, buffer);
        if (chain)
            status = raise(known, *chain, 0, error);
    }
    for (size_t i = points->first_edge[p]; i < points->first_edge[p + 1] && w->forwards; i++)
        if (!status)
            status = raise(known, w->known[points->edges[i].from], points->edges[i].latency_ticks,
                           error);
    if (!status && !instant_is_hub(item))
        status = show(user, p, *known, error);
    int64_t x = w->forwards ? item->lo : item->hi, own;
    bool dated = !instant_is_hub(item) && x != (w->forwards ? LO_NONE : HI_NONE);
    if (!status && dated && w->start[item->clock] != KNOWN_NONE)
        status = __builtin_add_overflow(x, w->start[item->clock], &own) || own == INT64_MIN
                     ? refuse(error)
                     : raise(known, w->forwards ? own : -own, 0, error);
    for (int buffer = 0; buffer < 2; buffer++) {
        int64_t *chain = chains_of(w, item, buffer);
        if (chain)
            *chain = *known;
    }
    for (size_t i = points->first_edge[p]; i < points->first_edge[p + 1] && !w->forwards; i++)
        if (!status)
            status = raise(&w->known[points->edges[i].from], *known, points->edges[i].latency_ticks,
                           error);
    return status;
}

static int64_t *new_known(size_t n)
{
    int64_t *known = malloc((n + 1) * sizeof *known);
    for (size_t i = 0; known && i < n; i++)
        known[i] = KNOWN_NONE;
    return known;
}

csy_status known_walk(const struct points *points, const uint32_t *order, bool forwards,
                      const int64_t *start, known_show show, void *user, csy_error *error)
{
    struct walk w = {points,
                     forwards,
                     start,
                     new_known(points->count),
                     new_known(points->nlocations),
                     new_known(points->nbuffers)};
    csy_status status = w.known && w.location && w.buffer ? CSY_OK : error_memory(error);
    for (size_t i = 0; i < points->count && !status; i++)
        status = step(&w, order[forwards ? i : points->count - 1 - i], show, user, error);
    FREE_ALL(w.known, w.location, w.buffer);
    return status;
}

csy_status known_limits(const struct points *points, bool forwards, const int64_t *start,
                        known_show show, void *user, csy_error *error)
{
    csy_status status = CSY_OK;
    for (size_t i = 0; i < points->nlimits && !status; i++) {
        const struct order_limit *limit = &points->limits[i];
        const struct instant *by = &points->items[forwards ? limit->later : limit->earlier];
        int64_t x = forwards ? by->lo : by->hi, base = start[by->clock], known;
        if (base == KNOWN_NONE || x == (forwards ? LO_NONE : HI_NONE) ||
            limit->most_ticks > KNOWN_LIMIT_MAX)
            continue;
        if (__builtin_add_overflow(x, base, &known) || known == INT64_MIN)
            return refuse(error);
        known = forwards ? known : -known;
        if (__builtin_sub_overflow(known, limit->most_ticks, &known) || known == KNOWN_NONE)
            return refuse(error);
        status = show(user, forwards ? limit->earlier : limit->later, known, error);
    }
    return status;
}

struct search {
    const struct points *points;
    const int64_t *start;
    int64_t allowed_ticks;
    struct known_inversions *out;
};

static csy_status look_at(void *user, uint32_t p, int64_t known, csy_error *error)
{
    struct search *s = user;
    const struct instant *item = &s->points->items[p];
    int64_t size;
    if (known == KNOWN_NONE || item->hi == HI_NONE)
        return CSY_OK;
    if (__builtin_add_overflow(item->hi, s->start[item->clock], &size) ||
        __builtin_sub_overflow(known, size, &size))
        return refuse(error);
    s->out->records += size > 0 && item->kind == INSTANT_END;
    if (size > s->out->largest_ticks && item->kind == INSTANT_END)
        s->out->largest_ticks = size;
    if (size > s->allowed_ticks && s->out->first == NO_POINT)
        s->out->first = p;
    return CSY_OK;
}

csy_status known_find_inversions(const struct points *points, const uint32_t *order,
                                 const int64_t *start, int64_t allowed_ticks,
                                 struct known_inversions *out, csy_error *error)
{
    struct search s = {points, start, allowed_ticks, out};
    *out = (struct known_inversions){.first = NO_POINT};
    return known_walk(points, order, true, start, look_at, &s, error);
}
