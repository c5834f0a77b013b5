/* Makes limits: longest latencies, moments that several clocks share, and measured offsets. */
#include "base/error.h"
#include "order/matching.h"
#include "order/rebase.h"

#include <inttypes.h>
#include <stdlib.h>

/* A moment with at most this many records has a limit for each two of them. */
enum { MOMENT_PAIRS_MAX = 64 };

static csy_status refuse_at(struct matching *m, uint32_t point, const char *what, csy_error *error)
{
    m->limits.place = m->points->items[point].place;
    return error_set(error, CSY_INPUT, "%s", what);
}

/* The longest latency that the record of a receive states, or the default. */
static int64_t longest_of(const struct matching *m, uint32_t end, bool *own)
{
    const struct match_limits *limits = &m->limits;
    size_t low = 0, high = limits->nlongest;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (limits->longest[middle].end < end)
            low = middle + 1;
        else
            high = middle;
    }
    *own = low < limits->nlongest && limits->longest[low].end == end;
    return *own ? limits->longest[low].ticks : limits->latency_max_ticks;
}

csy_status matching_longest(struct matching *m, const struct match_end *recv,
                            const struct order_edge *message, csy_error *error)
{
    char what[128];
    bool own;
    int64_t most = longest_of(m, recv->end, &own);
    if (most == INT64_MAX)
        return CSY_OK;
    if (message->latency_ticks > most) {
        snprintf(what, sizeof what,
                 "%s of %" PRId64 " ticks is below the latency of the message, %" PRId64 " ticks",
                 own ? "latency_max" : "--max-latency", most, message->latency_ticks);
        return refuse_at(m, recv->end, what, error);
    }
    m->report.limits++;
    return points_limit(m->points,
                        &(struct order_limit){message->to, message->from, most, message->key,
                                              LIMIT_LATENCY, m->points->items[recv->end].place},
                        error);
}

/* --- Moments --- */

static int compare_moments(const void *a, const void *b)
{
    const struct match_moment *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    if (x->within_ticks != y->within_ticks)
        return x->within_ticks < y->within_ticks ? -1 : 1;
    return (x->end > y->end) - (x->end < y->end);
}

/* Limit the time between two records of a moment in both directions. */
static csy_status join(struct matching *m, const struct match_moment *a,
                       const struct match_moment *b, uint32_t key, csy_error *error)
{
    int64_t most = a->within_ticks > b->within_ticks ? a->within_ticks : b->within_ticks;
    const struct match_moment *last = a->end > b->end ? a : b;
    uint64_t place = m->points->items[last->end].place;
    csy_status status = points_limit(
        m->points, &(struct order_limit){a->end, b->end, most, key, LIMIT_SAME, place}, error);
    if (!status)
        status = points_limit(
            m->points, &(struct order_limit){b->end, a->end, most, key, LIMIT_SAME, place}, error);
    m->report.limits += 2;
    return status;
}

csy_status matching_moments(struct matching *m, csy_error *error)
{
    struct match_moment *moments = m->limits.moments;
    size_t n = m->limits.nmoments;
    csy_status status = CSY_OK;
    if (n > 1)
        qsort(moments, n, sizeof *moments, compare_moments);
    for (size_t i = 0, end; i < n && !status; i = end) {
        uint32_t key = NO_KEY;
        for (end = i + 1; end < n && moments[end].key == moments[i].key;)
            end++;
        if (end == i + 1)
            return refuse_at(m, moments[i].end, "same: no other row has the same key", error);
        status = matching_key(m, KEYS_MOMENTS, moments[i].key, &key, error);
        bool all = end - i <= MOMENT_PAIRS_MAX;
        for (size_t a = i; a < (all ? end : i + 1); a++)
            for (size_t b = a + 1; b < end && !status; b++)
                if (moments[a].end != moments[b].end)
                    status = join(m, &moments[a], &moments[b], key, error);
    }
    return status;
}

/* --- Measured offsets --- */

/* Add the reading of the other clock as a point. */
static csy_status add_reading(struct matching *m, const struct match_compared *compared,
                              uint32_t *out, csy_error *error)
{
    const struct match_clock *other =
        compared->key < m->limits.nclocks ? &m->limits.clocks[compared->key] : NULL;
    struct instant reading = m->points->items[compared->end];
    if (!other || other->clock == NO_POINT)
        return refuse_at(m, compared->end, "other_clock: no row has this clock", error);
    if (other->clock == reading.clock)
        return refuse_at(m, compared->end, "other_clock: this is the clock of the row itself",
                         error);
    int128 x = (int128)compared->other_ticks + other->shift_ticks;
    if (x >= X_MAX || x <= -X_MAX)
        return refuse_at(m, compared->end,
                         "other_time is 2^58 ticks or more from the first time of its clock",
                         error);
    reading.clock = other->clock;
    reading.lo = reading.hi = (int64_t)x;
    return points_reading(m->points, &reading, out, error);
}

csy_status matching_compared(struct matching *m, csy_error *error)
{
    csy_status status = CSY_OK;
    for (size_t i = 0; i < m->limits.ncompared && !status; i++) {
        const struct match_compared *compared = &m->limits.compared[i];
        uint64_t place = m->points->items[compared->end].place;
        uint32_t reading, key = NO_KEY;
        status = add_reading(m, compared, &reading, error);
        if (!status)
            status = matching_key(m, KEYS_CLOCKS, compared->key, &key, error);
        if (!status)
            status =
                points_limit(m->points,
                             &(struct order_limit){reading, compared->end, compared->within_ticks,
                                                   key, LIMIT_OFFSET, place},
                             error);
        if (!status)
            status =
                points_limit(m->points,
                             &(struct order_limit){compared->begin, reading, compared->within_ticks,
                                                   key, LIMIT_OFFSET, place},
                             error);
        m->report.limits += 2;
    }
    return status;
}
