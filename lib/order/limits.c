/* Limits that contradict the order. */
#include "order/limits.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

/* Computes instants that keep the order, as early as possible from 0. A limit moves its earlier
 * end, and the next pass moves the instants that follow. Instants exist if and only if a pass moves
 * nothing; otherwise the steps that moved points last form a cycle. */
struct instants {
    const struct points *points;
    int128 *time;       /* for each point */
    uint32_t *moved_by; /* for each point: the point that moved it last, or NO_POINT */
    size_t *by_limit;   /* for each point: the index of the limit that moved it last, or NO_LIMIT */
    uint32_t *location, *buffer; /* last points of chains, or NO_POINT */
    uint32_t *mark;              /* for each point: number of the search that reached it, or 0 */
};

#define NO_LIMIT SIZE_MAX

static bool move(struct instants *s, uint32_t to, uint32_t from, int64_t ticks, size_t limit)
{
    if (s->time[from] + ticks <= s->time[to])
        return false;
    s->time[to] = s->time[from] + ticks;
    s->moved_by[to] = from;
    s->by_limit[to] = limit;
    return true;
}

static void follow_chain(struct instants *s, uint32_t p, uint32_t *last)
{
    if (*last != NO_POINT)
        move(s, p, *last, 0, NO_LIMIT);
    *last = p;
}

/* Make one pass. Returns true if a limit moved a point. */
static bool pass(struct instants *s, const uint32_t *order)
{
    const struct points *points = s->points;
    bool moved = false;
    memset(s->location, 0xff, points->nlocations * sizeof *s->location);
    memset(s->buffer, 0xff, points->nbuffers * sizeof *s->buffer);
    for (size_t i = 0; i < points->count; i++) {
        uint32_t p = order[i];
        const struct instant *item = &points->items[p];
        for (size_t e = points->first_edge[p]; e < points->first_edge[p + 1]; e++)
            move(s, p, points->edges[e].from, points->edges[e].latency_ticks, NO_LIMIT);
        if (!instant_is_hub(item) && item->chained)
            follow_chain(s, p, &s->location[item->location]);
        if (item->buffer != NO_BUFFER)
            follow_chain(s, p, &s->buffer[item->buffer]);
    }
    for (size_t i = 0; i < points->nlimits; i++) {
        const struct order_limit *limit = &points->limits[i];
        moved |= move(s, limit->earlier, limit->later, -limit->most_ticks, i);
    }
    return moved;
}

/* Find a cycle of the steps that moved points last, and return one of its limits, or NULL. */
static const struct order_limit *find_cycle(struct instants *s)
{
    uint32_t walk = 0;
    memset(s->mark, 0, s->points->count * sizeof *s->mark);
    for (size_t i = 0; i < s->points->count; i++) {
        uint32_t p = (uint32_t)i;
        walk++;
        for (; p != NO_POINT && s->mark[p] == 0; p = s->moved_by[p])
            s->mark[p] = walk;
        if (p == NO_POINT || s->mark[p] != walk)
            continue;
        while (s->by_limit[p] == NO_LIMIT)
            p = s->moved_by[p];
        return &s->points->limits[s->by_limit[p]];
    }
    return NULL;
}

csy_status limits_contradicted(const struct points *points, const uint32_t *order,
                               const struct order_limit **out, csy_error *error)
{
    struct instants s = {points,
                         calloc(points->count + 1, sizeof *s.time),
                         malloc((points->count + 1) * sizeof *s.moved_by),
                         malloc((points->count + 1) * sizeof *s.by_limit),
                         malloc((points->nlocations + 1) * sizeof *s.location),
                         malloc((points->nbuffers + 1) * sizeof *s.buffer),
                         malloc((points->count + 1) * sizeof *s.mark)};
    bool good = s.time && s.moved_by && s.by_limit && s.location && s.buffer && s.mark;
    bool moved = good;
    *out = NULL;
    if (good) {
        memset(s.moved_by, 0xff, points->count * sizeof *s.moved_by);
        memset(s.by_limit, 0xff, points->count * sizeof *s.by_limit);
    }
    for (uint64_t round = 1; moved && !*out; round++) {
        moved = pass(&s, order);
        if (moved && (round & (round - 1)) == 0)
            *out = find_cycle(&s);
    }
    free(s.time);
    free(s.moved_by);
    free(s.by_limit);
    free(s.location);
    free(s.buffer);
    free(s.mark);
    return good ? CSY_OK : error_memory(error);
}
