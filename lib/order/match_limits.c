/* Makes limits from longest latencies, moments that several clocks share, and measured offsets. */
#include "base/array.h"
#include "base/error.h"
#include "base/sort.h"
#include "order/match.h"
#include "order/matching.h"
#include "order/rebase.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* In a moment with more records, only the first record gets limits with each of the others. */
enum { MOMENT_PAIRS_MAX = 64 };

static csy_status refuse_at(struct matching *m, uint32_t point, const char *what, csy_error *error)
{
    m->limits.place = m->points->items[point].place;
    return error_set(error, CSY_INPUT, "%s", what);
}

csy_status matching_longest(struct matching *m, const struct match_end *recv,
                            const struct order_edge *message, csy_error *error)
{
    const struct match_limits *limits = &m->limits;
    size_t low = 0, high = limits->nlongest;
    BISECT(low, high, middle, limits->longest[middle].end < recv->end);
    bool own = low < limits->nlongest && limits->longest[low].end == recv->end;
    int64_t most = own ? limits->longest[low].ticks : limits->latency_max_ticks;
    if (most == INT64_MAX)
        return CSY_OK;
    uint64_t place = m->points->items[recv->end].place;
    if (message->latency_ticks > most) {
        m->limits.place = place;
        return error_set(error, CSY_INPUT,
                         "%s of %" PRId64 " ticks is below the latency of the message, %" PRId64
                         " ticks",
                         own ? "latency_max" : "--max-latency", most, message->latency_ticks);
    }
    m->report.limits++;
    return points_limit(
        m->points,
        &(struct order_limit){message->to, message->from, most, message->key, LIMIT_LATENCY, place},
        error);
}

csy_status matching_limits(struct matching *m, const uint32_t chain[3],
                           const struct order_limit *limit, csy_error *error)
{
    csy_status status = CSY_OK;
    m->report.limits += 2;
    for (size_t i = 0; i < 2 && !status; i++) {
        struct order_limit added = *limit;
        added.earlier = chain[i];
        added.later = chain[i + 1];
        status = points_limit(m->points, &added, error);
    }
    return status;
}

static int compare_moments(const void *a, const void *b)
{
    const struct match_moment *x = a, *y = b;
    return COMPARE_THEN(x->key, y->key,
                        COMPARE_THEN(x->within_ticks, y->within_ticks, COMPARE(x->end, y->end)));
}

csy_status matching_moments(struct matching *m, csy_error *error)
{
    struct match_moment *moments = m->limits.moments;
    size_t n = m->limits.nmoments;
    csy_status status = CSY_OK;
    SORT(moments, n, compare_moments);
    for (size_t i = 0, end; i < n && !status; i = end) {
        uint32_t key = NO_KEY;
        for (end = i + 1; end < n && moments[end].key == moments[i].key;)
            end++;
        if (end == i + 1)
            return refuse_at(m, moments[i].end, "same: no other row has the same key", error);
        status = matching_key(m, KEYS_MOMENTS, moments[i].key, &key, error);
        bool all = end - i <= MOMENT_PAIRS_MAX;
        for (size_t a = i; a < (all ? end : i + 1); a++)
            for (size_t b = a + 1; b < end && !status; b++) {
                /* Limit the time between both records in both directions. */
                uint32_t x = moments[a].end, y = moments[b].end;
                uint64_t place = m->points->items[x > y ? x : y].place;
                int64_t most = moments[b].within_ticks; /* moments are sorted by within_ticks */
                if (x != y)
                    status = matching_limits(
                        m, (const uint32_t[]){y, x, y},
                        &(struct order_limit){0, 0, most, key, LIMIT_SAME, place}, error);
            }
    }
    return status;
}

csy_status matching_compared(struct matching *m, csy_error *error)
{
    csy_status status = CSY_OK;
    for (size_t i = 0; i < m->limits.ncompared && !status; i++) {
        const struct match_compared *compared = &m->limits.compared[i];
        const struct match_clock *other =
            compared->key < m->limits.nclocks ? &m->limits.clocks[compared->key] : NULL;
        struct instant reading = m->points->items[compared->end];
        uint32_t end = compared->end, point, key = NO_KEY;
        if (!other || other->clock == NO_POINT)
            return refuse_at(m, end, "other_clock: no row has this clock", error);
        if (other->clock == reading.clock)
            return refuse_at(m, end, "other_clock: this is the clock of the row itself", error);
        int128 x = (int128)compared->other_ticks + other->shift_ticks;
        if (x >= X_MAX || x <= -X_MAX)
            return refuse_at(
                m, end, "other_time is 2^58 ticks or more from the first time of its clock", error);
        reading.clock = other->clock;
        reading.lo = reading.hi = (int64_t)x;
        status = points_reading(m->points, &reading, &point, error);
        if (!status)
            status = matching_key(m, KEYS_CLOCKS, compared->key, &key, error);
        if (!status)
            status = matching_limits(m, (const uint32_t[]){end, point, compared->begin},
                                     &(struct order_limit){0, 0, compared->within_ticks, key,
                                                           LIMIT_OFFSET, reading.place},
                                     error);
    }
    return status;
}

/* A search for times that satisfy all edges and limits. Each pass moves points to later times. If
 * every pass moves one, there is no solution, and the last moves form a cycle. */
struct instants {
    const struct points *points;
    int128 *time;
    uint32_t *moved_by; /* for each point: the point that required its last move, or NO_POINT */
    size_t *by_limit;   /* for each point: limit that required its last move, or NO_LIMIT */
    uint32_t *location, *buffer; /* last point of each location or buffer, or NO_POINT */
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

/* Returns a limit on a cycle in which each point required the next one's last move, or NULL. */
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
        moved = false;
        memset(s.location, 0xff, points->nlocations * sizeof *s.location);
        memset(s.buffer, 0xff, points->nbuffers * sizeof *s.buffer);
        for (size_t i = 0; i < points->count; i++) {
            uint32_t p = order[i];
            const struct instant *item = &points->items[p];
            for (size_t e = points->first_edge[p]; e < points->first_edge[p + 1]; e++)
                move(&s, p, points->edges[e].from, points->edges[e].latency_ticks, NO_LIMIT);
            if (!instant_is_hub(item) && item->chained)
                follow_chain(&s, p, &s.location[item->location]);
            if (item->buffer != NO_BUFFER)
                follow_chain(&s, p, &s.buffer[item->buffer]);
        }
        for (size_t i = 0; i < points->nlimits; i++) {
            const struct order_limit *limit = &points->limits[i];
            moved |= move(&s, limit->earlier, limit->later, -limit->most_ticks, i);
        }

        if (moved && (round & (round - 1)) == 0)
            *out = find_cycle(&s);
    }
    FREE_ALL(s.time, s.moved_by, s.by_limit, s.location, s.buffer, s.mark);
    return good ? CSY_OK : error_memory(error);
}
