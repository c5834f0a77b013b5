/* Sort the sends and receives of a channel. */
#include "order/match_sides.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

void by_key_fini(struct by_key *by_key)
{
    free(by_key->first);
    free(by_key->items);
}

csy_status by_key_init(struct by_key *by_key, const struct match_ends *ends, size_t nkeys,
                       csy_error *error)
{
    if (ends->count > UINT32_MAX) {
        error_set(error, CSY_MEMORY, "more than 2^32 - 1 ends of messages or groups");
        return CSY_MEMORY;
    }
    by_key->first = calloc(nkeys + 2, sizeof *by_key->first);
    by_key->items = malloc((ends->count + 1) * sizeof *by_key->items);
    if (!by_key->first || !by_key->items)
        return error_memory(error);
    size_t *first = by_key->first;
    for (size_t i = 0; i < ends->count; i++)
        first[ends->items[i].key + 2]++;
    for (size_t key = 0; key < nkeys; key++)
        first[key + 2] += first[key + 1];
    for (size_t i = 0; i < ends->count; i++)
        by_key->items[first[ends->items[i].key + 1]++] = (uint32_t)i;
    return CSY_OK;
}

struct side side_of(struct matching *m, csy_end kind, const struct by_key *by_key, size_t key)
{
    struct side side = {.ends = &m->ends[kind],
                        .kind = kind,
                        .items = by_key->items + by_key->first[key],
                        .n = by_key->first[key + 1] - by_key->first[key],
                        .begins = true};
    bool receives = kind == CSY_END_RECV || kind == CSY_END_WAIT;
    const struct instant *items = m->points->items, *one = NULL;
    for (size_t i = 0; i < side.n; i++) {
        const struct match_end *end = side_end(&side, i);
        const struct instant *point = &items[end->end];
        one = one ? one : point;
        side.locations |= point->location != one->location;
        side.clocks |= point->clock != one->clock;
        side.shared |= end->shared;
        side.begins &= end->begin != end->end || end->posted != POSTED_BEGIN;
        side.recorded |= end->posted != POSTED_BEGIN;
        side.latencies |= receives && end->latency_ticks != side_end(&side, 0)->latency_ticks;
        side.sync |= kind == CSY_END_SEND && end->sync;
        side.unsure |= kind == CSY_END_RECV && end->posted == POSTED_UNKNOWN;
    }
    return side;
}

/* An end and when it is. */
struct timed {
    int64_t x;
    uint32_t index;
};

static int compare_timed(const void *a, const void *b)
{
    const struct timed *x = a, *y = b;
    if (x->x != y->x)
        return x->x < y->x ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

static int64_t time_of(const struct matching *m, const struct match_end *end, bool at_end)
{
    if (at_end)
        return m->points->items[end->end].lo;
    if (end->posted != POSTED_BEGIN)
        return end->posted;
    return end->begin_unknown ? LO_NONE : m->points->items[end->begin].lo;
}

/* By their ends, or by their begins, of which those that are unknown come first; ties as they are
 * in the file. */
static csy_status sort_side(const struct matching *m, struct side *side, bool at_end,
                            csy_error *error)
{
    bool sorted = true;
    for (size_t i = 1; i < side->n && sorted; i++)
        sorted = time_of(m, side_end(side, i - 1), at_end) <= time_of(m, side_end(side, i), at_end);
    if (sorted)
        return CSY_OK;
    struct timed *timed = malloc(side->n * sizeof *timed);
    if (!timed)
        return error_memory(error);
    for (size_t i = 0; i < side->n; i++)
        timed[i] = (struct timed){time_of(m, side_end(side, i), at_end), side->items[i]};
    qsort(timed, side->n, sizeof *timed, compare_timed);
    for (size_t i = 0; i < side->n; i++)
        side->items[i] = timed[i].index;
    free(timed);
    return CSY_OK;
}

static bool make_close(struct side *side)
{
    free(side->close);
    side->close = calloc(side->n + 1, sizeof *side->close);
    return side->close != NULL;
}

static int compare_items(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Whether item i of one location is known to be posted before the next one.  If the records give
 * the times of posting, the location made them in that order. */
static bool is_posted_before(struct matching *m, const struct side *side, size_t i)
{
    const struct match_end *end = side_end(side, i), *next = side_end(side, i + 1);
    int64_t apart = time_of(m, next, false) - time_of(m, end, false);
    bool records = end->posted != POSTED_BEGIN && next->posted != POSTED_BEGIN;
    return (records && apart > 0) || points_tell(m->points, apart);
}

/* Mark items of one location, sorted by posting, if timestamps are too close to show their order.
 * Such receives are sorted by their ends instead: the k-th of them to end got the k-th of their
 * messages or a later one. */
static csy_status find_close(struct matching *m, struct side *side, bool receives, csy_error *error)
{
    bool in_file_order = true;
    for (size_t i = 1; i < side->n; i++)
        in_file_order &= side->items[i - 1] < side->items[i];
    if (in_file_order && receives && !side->sync && !side->latencies)
        return CSY_OK;
    if (!make_close(side))
        return error_memory(error);
    for (size_t i = 0, end; i < side->n; i = end) {
        for (end = i + 1; end < side->n && !is_posted_before(m, side, end - 1);)
            end++;
        if (end - i == 1)
            continue;
        memset(side->close + i, true, (end - i) * sizeof *side->close);
        if (receives)
            qsort(side->items + i, end - i, sizeof *side->items, compare_items);
    }
    return CSY_OK;
}

/* If several locations share a clock, the k-th instant has the k-th timestamp, but unless
 * timestamps are exact, not surely that record.  For a begin this does not matter, since nothing
 * is known to come before it. */
csy_status side_point(struct matching *m, const struct side *side, size_t i, bool receives,
                      uint32_t *out, csy_error *error)
{
    const struct match_end *end = side_end(side, i);
    *out = receives ? end->end : end->begin;
    bool known = !side->shared || (!receives && end->begin != end->end);
    return known || points_tell(m->points, 0) ? CSY_OK : points_loose(m->points, *out, out, error);
}

csy_status side_order_sends(struct matching *m, struct side *side, csy_error *error)
{
    bool sorted = side->locations || (side->begins && !side->clocks);
    csy_status status = sorted ? sort_side(m, side, false, error) : CSY_OK;
    return status || !sorted || side->locations || !side->sync ? status
                                                               : find_close(m, side, false, error);
}

csy_status side_order_receives(struct matching *m, struct side *side, bool by_ends,
                               csy_error *error)
{
    bool sorted = by_ends ? side->locations : side->begins && !side->clocks;
    csy_status status = sorted ? sort_side(m, side, by_ends, error) : CSY_OK;
    return status || !sorted || by_ends ? status : find_close(m, side, true, error);
}

bool side_has_close(const struct side *side)
{
    for (size_t i = 0; side->close && i < side->n; i++)
        if (side->close[i])
            return true;
    return false;
}

csy_status side_places(const struct side *side, uint32_t **places, csy_error *error)
{
    bool sorted = true;
    for (size_t i = 1; i < side->n && sorted; i++)
        sorted = side->items[i - 1] < side->items[i];
    *places = NULL;
    if (sorted)
        return CSY_OK;
    struct timed *timed = malloc(side->n * sizeof *timed);
    *places = malloc(side->n * sizeof **places);
    if (!timed || !*places) {
        free(timed);
        return error_memory(error);
    }
    for (size_t i = 0; i < side->n; i++)
        timed[i] = (struct timed){side->items[i], (uint32_t)i};
    qsort(timed, side->n, sizeof *timed, compare_timed);
    for (size_t i = 0; i < side->n; i++)
        (*places)[i] = timed[i].index;
    free(timed);
    return CSY_OK;
}
