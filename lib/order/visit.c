/* Sorts the points of a trace (the begins and ends of its events) so that each point comes after
 * its predecessors. */
#include "order/visit.h"

#include "base/array.h"
#include "base/error.h"

#include <stdlib.h>

/* Value of done[p] after point p was visited. Before, done[p] is the number of predecessors of p
 * that were examined. */
#define VISITED UINT32_MAX

/* A point may be in two chains: the points of its location, and the points of its buffer. It is
 * visited after its predecessors in these chains, and after the points with edges to it. */
enum { CHAINS = 2 };

struct search {
    const struct points *points;
    uint32_t *before[CHAINS]; /* [0][p]: the point before p at the same location; [1][p]: the point
                               * before p in the same buffer. NO_POINT if there is none. */
    uint32_t *done;
    uint32_t *order;
    size_t norder;
    uint32_t *path; /* stack of points that wait for a predecessor, which is the next point on the
                     * stack */
    size_t npath, path_capacity;
};

static bool find_neighbours(struct search *v, bool buffers)
{
    const struct points *points = v->points;
    size_t nlists = buffers ? points->nbuffers : points->nlocations;
    uint32_t *last = malloc((nlists + 1) * sizeof *last);
    uint32_t *before = malloc((points->count + 1) * sizeof *before);
    v->before[buffers] = before;
    if (!last || !before) {
        free(last);
        return false;
    }
    for (size_t i = 0; i < nlists; i++)
        last[i] = NO_POINT;
    /* Points from number points->late on were added late (points_come_late). They are merged with
     * the other points by position. */
    size_t next = 0, most = points->late ? points->late : points->count, late = most;
    for (size_t i = 0; i < points->count; i++) {
        bool is_late =
            late < points->count && (next == most || instant_is_hub(&points->items[late]) ||
                                     points->items[late].position < points->items[next].position);
        uint32_t p = (uint32_t)(is_late ? late++ : next++);
        const struct instant *item = &points->items[p];
        uint32_t list = buffers ? item->buffer : item->chained ? item->location : NO_LOCATION;
        before[p] = NO_POINT;
        if (list == UINT32_MAX)
            continue;
        before[p] = last[list];
        last[list] = p;
    }
    free(last);
    return true;
}

/* If points must precede each other in a cycle, *met becomes a point of the cycle. Returns false if
 * memory runs out. */
static bool visit(struct search *v, uint32_t p, uint32_t *met)
{
    const struct points *points = v->points;
    for (v->npath = 0;;) {
        uint32_t wanted = NO_POINT,
                 most = CHAINS + points->first_edge[p + 1] - points->first_edge[p];
        while (wanted == NO_POINT && v->done[p] < most) {
            uint32_t i = v->done[p]++, before = NO_POINT;
            if (i >= CHAINS)
                before = points->edges[(size_t)points->first_edge[p] + i - CHAINS].from;
            else if (v->before[i])
                before = v->before[i][p];
            if (before != NO_POINT && v->done[before] != VISITED)
                wanted = before;
        }
        if (wanted == NO_POINT) {
            v->done[p] = VISITED;
            v->order[v->norder++] = p;
            if (v->npath == 0)
                return true;
            p = v->path[--v->npath];
            continue;
        }
        if (!ARRAY_RESERVE(v->path, v->path_capacity, v->npath + 2))
            return false;
        v->path[v->npath++] = p;
        if (v->done[wanted] > 0) {
            *met = wanted;
            return true;
        }
        p = wanted;
    }
}

/* `from` must precede `to`, and must be the last such point that `visit` has examined. */
static struct visit_step step_of(const struct search *v, uint32_t from, uint32_t to)
{
    uint32_t i = v->done[to] - 1;
    struct visit_step step = {from, to, EDGE_CHAIN, i == 1, NO_KEY};
    if (i < CHAINS)
        return step;
    const struct order_edge *edge = &v->points->edges[v->points->first_edge[to] + i - CHAINS];
    step.kind = edge->kind;
    step.key = edge->key;
    return step;
}

/* Make a cycle of the points from `met` to the top of v->path. If any of its steps is an edge, so
 * is the last one. */
static bool make_cycle(const struct search *v, uint32_t met, struct visit_cycle *cycle)
{
    size_t begin = v->npath - 1, start = 0;
    while (v->path[begin] != met)
        begin--;
    const uint32_t *path = v->path + begin;
    size_t n = v->npath - begin;
    cycle->steps = calloc(n, sizeof *cycle->steps);
    if (!cycle->steps)
        return false;
    for (size_t i = 0; i < n; i++)
        if (step_of(v, path[(i + 1) % n], path[i]).kind != EDGE_CHAIN)
            start = i;
    for (size_t k = 0; k < n; k++) {
        size_t to = (start + n - 1 - k) % n;
        /* join successive steps within one location or buffer */
        struct visit_step step = step_of(v, path[(to + 1) % n], path[to]);
        struct visit_step *last = cycle->length ? &cycle->steps[cycle->length - 1] : NULL;
        if (last && last->kind == EDGE_CHAIN && step.kind == EDGE_CHAIN &&
            last->buffer == step.buffer)
            last->to = step.to;
        else
            cycle->steps[cycle->length++] = step;
    }
    return true;
}

csy_status visit_order(const struct points *points, uint32_t **order, struct visit_cycle *cycle,
                       csy_error *error)
{
    struct search v = {.points = points};
    uint32_t met = NO_POINT;
    size_t n = v.points->count;
    v.done = calloc(n + 1, sizeof *v.done);
    v.order = malloc((n + 1) * sizeof *v.order);
    bool good = v.done && v.order && find_neighbours(&v, false) &&
                (v.points->nbuffers == 0 || find_neighbours(&v, true));
    *order = NULL;
    *cycle = (struct visit_cycle){0};
    for (size_t p = 0; p < points->count && good && met == NO_POINT; p++)
        if (v.done[p] != VISITED)
            good = visit(&v, (uint32_t)p, &met);
    if (good && met != NO_POINT)
        good = make_cycle(&v, met, cycle);
    if (good && met == NO_POINT) {
        *order = v.order;
        v.order = NULL;
    }
    FREE_ALL(v.before[0], v.before[1], v.done, v.order, v.path);
    return good ? CSY_OK : error_memory(error);
}

void visit_cycle_fini(struct visit_cycle *cycle)
{
    free(cycle->steps);
    *cycle = (struct visit_cycle){0};
}
