/* Offsets by midpoints between peers, along a tree of least widths. */
#include "sync/methods/ntp.h"

#include "base/error.h"
#include "graph/search.h"
#include "sync/methods/messages.h"
#include "sync/partial_order.h"

#include <stdlib.h>
#include <string.h>

/* The least time of a message from clock s to clock t. */
struct passage {
    uint32_t s, t;
    int64_t least;
};

struct ntp {
    struct csy_sync *sync;
    struct passage *passages;
    size_t npassages;
    struct pairs peers; /* pairs in both directions, weighted by the least passage */
    int64_t *width;     /* for each pair; 0 if it is negative because the clocks contradict each
                         * other */
    uint32_t *root;     /* for each clock the first clock connected to it, or the reference if that
                         * is connected */
    int64_t *distance;  /* for each clock from its root */
};

static int compare_passages(const void *a, const void *b)
{
    const struct passage *x = a, *y = b;
    if (x->s != y->s || x->t != y->t)
        return x->s < y->s || (x->s == y->s && x->t < y->t) ? -1 : 1;
    return (x->least > y->least) - (x->least < y->least);
}

/* Find the least passage of each ordered pair of clocks, and sort the pairs. */
static csy_status find_passages(struct ntp *ntp, csy_error *error)
{
    const struct points *points = &ntp->sync->partial->points;
    size_t n = 0, kept = 0;
    ntp->passages = malloc((points->nedges + 1) * sizeof *ntp->passages);
    if (!ntp->passages)
        return error_memory(error);
    for (size_t e = 0; e < points->nedges; e++) {
        const struct order_edge *edge = &points->edges[e];
        const struct instant *p = &points->items[edge->from], *q = &points->items[edge->to];
        if (edge->kind != EDGE_MESSAGE || p->clock == q->clock)
            continue;
        if (edge->latency_ticks >= MESSAGE_LATENCY_MAX)
            return messages_refuse_latency(ntp->sync, error);
        ntp->passages[n++] =
            (struct passage){p->clock, q->clock, q->hi - p->lo - edge->latency_ticks};
    }
    qsort(ntp->passages, n, sizeof *ntp->passages, compare_passages);
    for (size_t i = 0; i < n; i++) {
        const struct passage *last = kept ? &ntp->passages[kept - 1] : NULL;
        if (!last || last->s != ntp->passages[i].s || last->t != ntp->passages[i].t)
            ntp->passages[kept++] = ntp->passages[i];
    }
    ntp->npassages = kept;
    return CSY_OK;
}

static const struct passage *find_back(const struct ntp *ntp, const struct passage *there)
{
    const struct passage back = {there->t, there->s, INT64_MIN};
    size_t low = 0, high = ntp->npassages;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_passages(&ntp->passages[middle], &back) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    const struct passage *found = &ntp->passages[low];
    return low < ntp->npassages && found->s == back.s && found->t == back.t ? found : NULL;
}

static csy_status find_peers(struct ntp *ntp, csy_error *error)
{
    struct pairs *peers = &ntp->peers;
    size_t n = ntp->sync->survey.threads.count;
    *peers = (struct pairs){.nclocks = n, .nvertices = n};
    peers->items = calloc(ntp->npassages + 1, sizeof *peers->items);
    peers->first = calloc(n + 1, sizeof *peers->first);
    ntp->width = malloc((ntp->npassages + 1) * sizeof *ntp->width);
    if (!peers->items || !peers->first || !ntp->width)
        return error_memory(error);
    for (size_t i = 0; i < ntp->npassages; i++) {
        const struct passage *there = &ntp->passages[i], *back = find_back(ntp, there);
        if (!back)
            continue;
        int64_t width = there->least + back->least;
        ntp->width[peers->count] = width > 0 ? width : 0;
        peers->items[peers->count++] =
            (struct clock_pair){.s = there->s, .t = there->t, .weight = there->least};
        peers->first[there->s + 1]++;
    }
    for (size_t t = 0; t < n; t++)
        peers->first[t + 1] += peers->first[t];
    return CSY_OK;
}

/* Set the root of all clocks that peers connect to it. This is a breadth-first search. */
static void spread_root(struct ntp *ntp, uint32_t root, uint32_t *queue)
{
    const struct pairs *peers = &ntp->peers;
    size_t n = 0;
    queue[n++] = ntp->root[root] = root;
    for (size_t i = 0; i < n; i++)
        for (size_t k = peers->first[queue[i]]; k < peers->first[queue[i] + 1]; k++) {
            uint32_t next = peers->items[k].t;
            if (ntp->root[next] != NO_THREAD)
                continue;
            ntp->root[next] = root;
            queue[n++] = next;
        }
}

/* Halve the difference of the passages in both directions. Round to the nearest tick, halves up. */
static csy_status halve(const struct ntp *ntp, int128 twice, int64_t *out, csy_error *error)
{
    int128 half = (twice + 1) >> 1;
    *out = (int64_t)half;
    return fits_int64(half) ? CSY_OK
                            : error_set(error, CSY_INPUT, "%s: global times do not fit 64 bits",
                                        ntp->sync->trace->name);
}

/* Compute offsets along the shortest paths between peers, breadth first. */
static csy_status follow_tree(struct ntp *ntp, int128 *twice, uint32_t *queue, int64_t *g,
                              csy_error *error)
{
    const struct pairs *peers = &ntp->peers;
    size_t count = ntp->sync->survey.threads.count, n = 0;
    bool *placed = calloc(count + 1, sizeof *placed);
    csy_status status = placed ? CSY_OK : error_memory(error);
    for (uint32_t t = 0; t < count && !status; t++)
        if (ntp->root[t] == t) {
            queue[n++] = t;
            twice[t] = g[t] = 0;
            placed[t] = true;
        }
    for (size_t i = 0; i < n && !status; i++) {
        uint32_t s = queue[i];
        for (size_t k = peers->first[s]; k < peers->first[s + 1] && !status; k++) {
            const struct clock_pair *pair = &peers->items[k];
            uint32_t t = pair->t;
            if (placed[t] || ntp->distance[s] + ntp->width[k] != ntp->distance[t])
                continue;
            const struct passage there = {s, t, pair->weight};
            placed[t] = true;
            twice[t] = twice[s] + find_back(ntp, &there)->least - there.least;
            status = halve(ntp, twice[t], &g[t], error);
            queue[n++] = t;
        }
    }
    free(placed);
    return status;
}

static csy_status place(struct ntp *ntp, csy_error *error)
{
    struct csy_sync *sync = ntp->sync;
    uint32_t n = (uint32_t)sync->survey.threads.count;
    struct search_graph graph = {0};
    uint32_t *queue = malloc((n + 1) * sizeof *queue);
    int128 *twice = malloc((n + 1) * sizeof *twice);
    int64_t *g = malloc((n + 1) * sizeof *g);
    ntp->root = malloc((n + 1) * sizeof *ntp->root);
    ntp->distance = malloc((n + 1) * sizeof *ntp->distance);
    csy_status status =
        queue && twice && g && ntp->root && ntp->distance ? CSY_OK : error_memory(error);
    if (!status) {
        memset(ntp->root, 0xff, n * sizeof *ntp->root);
        spread_root(ntp, (uint32_t)sync->reference, queue);
        for (uint32_t t = 0; t < n; t++)
            if (ntp->root[t] == NO_THREAD)
                spread_root(ntp, t, queue);
        for (uint32_t t = 0; t < n; t++)
            ntp->distance[t] = ntp->root[t] == t ? 0 : WALK_INF;
        status = search_init(&graph, &ntp->peers, ntp->width, error);
    }
    if (!status)
        status = search_from(&graph, NULL, ntp->distance, error);
    if (!status)
        status = follow_tree(ntp, twice, queue, g, error);
    if (!status)
        status = messages_align(sync, ntp->root, (uint32_t)sync->reference, g, error);
    if (!status)
        status = solution_shift_offsets(sync, g, error);
    search_fini(&graph);
    free(queue);
    free(twice);
    free(g);
    return status;
}

csy_status ntp_place(struct csy_sync *sync, csy_error *error)
{
    struct ntp ntp = {.sync = sync};
    csy_status status = find_passages(&ntp, error);
    if (!status)
        status = find_peers(&ntp, error);
    if (!status)
        status = place(&ntp, error);
    free(ntp.passages);
    pairs_fini(&ntp.peers);
    free(ntp.width);
    free(ntp.root);
    free(ntp.distance);
    return status;
}
