/* Ends -> edges: locks, whose turns say which release an acquire waited for. */
#include "order/matching.h"

#include "base/error.h"

#include <stdlib.h>

static int compare_turns(const void *a, const void *b)
{
    const struct match_end *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    if (x->turn != y->turn)
        return x->turn < y->turn ? -1 : 1;
    return (x->end > y->end) - (x->end < y->end);
}

static void sort(struct match_ends *ends)
{
    if (ends->count > 1)
        qsort(ends->items, ends->count, sizeof *ends->items, compare_turns);
}

/* A run of releases, and one of acquires of one turn. */
struct handover {
    const struct match_end *releases, *acquires;
    size_t nreleases, nacquires;
    uint32_t key;
};

static csy_status add_edge(struct matching *m, uint32_t from, uint32_t to, uint32_t key,
                           csy_error *error)
{
    bool hub = instant_is_hub(&m->points->items[from]);
    struct order_edge edge = {from, to, 0, key, hub ? EDGE_LEAVE : EDGE_LOCK};
    return points_edge(m->points, &edge, error);
}

/* Each release that is of use before each acquire: by a hub where there are several of both. */
static csy_status hand_over(struct matching *m, const struct handover *h, csy_error *error)
{
    const struct match_end *one = NULL;
    uint32_t hub = NO_POINT;
    size_t n = 0;
    csy_status status = CSY_OK;
    for (size_t i = 0; i < h->nreleases; i++)
        if (h->releases[i].begin_unknown)
            matching_leave_out(m, CSY_END_RELEASE, CSY_LEFT_NO_BEGIN, &h->releases[i]);
        else if (n++ == 0)
            one = &h->releases[i];
    m->report.handovers += n > 0 ? h->nacquires : 0;
    if (n > 1 && h->nacquires > 1)
        status = points_hub(m->points, one->begin, &hub, error);
    for (size_t i = 0; i < h->nreleases && !status; i++) {
        const struct match_end *release = &h->releases[i];
        uint32_t to = hub == NO_POINT ? h->acquires->end : hub;
        if (!release->begin_unknown && (hub != NO_POINT || h->nacquires == 1))
            status = add_edge(m, release->begin, to, h->key, error);
    }
    for (size_t i = 0; i < h->nacquires && !status && n > 0; i++) {
        uint32_t from = hub == NO_POINT ? one->begin : hub;
        if (hub != NO_POINT || h->nacquires > 1)
            status = add_edge(m, from, h->acquires[i].end, h->key, error);
    }
    return status;
}

static bool is_before(const struct match_end *release, const struct match_end *acquire)
{
    return release->key < acquire->key ||
           (release->key == acquire->key && release->turn < acquire->turn);
}

csy_status matching_locks(struct matching *m, csy_error *error)
{
    struct match_ends *releases = &m->ends[CSY_END_RELEASE], *acquires = &m->ends[CSY_END_ACQUIRE];
    size_t next = 0;
    uint32_t lock = NO_TEXT, key = NO_KEY;
    csy_status status = CSY_OK;
    sort(releases);
    sort(acquires);
    for (size_t i = 0, end; i < acquires->count && !status; i = end) {
        const struct match_end *first = &acquires->items[i];
        struct handover h = {.acquires = first};
        for (end = i; end < acquires->count && acquires->items[end].key == first->key &&
                      acquires->items[end].turn == first->turn;)
            end++;
        for (; next < releases->count && releases->items[next].key < first->key; next++)
            matching_leave_out(m, CSY_END_RELEASE, CSY_LEFT_UNMATCHED, &releases->items[next]);
        h.nacquires = end - i;
        h.releases = &releases->items[next];
        while (next < releases->count && is_before(&releases->items[next], first))
            next++;
        h.nreleases = (size_t)(&releases->items[next] - h.releases);
        if (h.nreleases == 0)
            continue;
        if (lock != first->key)
            status = matching_key(m, KEYS_LOCKS, first->key, &key, error);
        lock = first->key;
        h.key = key;
        if (!status)
            status = hand_over(m, &h, error);
    }
    for (; next < releases->count; next++)
        matching_leave_out(m, CSY_END_RELEASE, CSY_LEFT_UNMATCHED, &releases->items[next]);
    return status;
}
