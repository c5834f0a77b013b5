/* Finds tight constraints and the shortest paths that consist of them (bounds/tight.h). */
#include "bounds/tight.h"

#include "base/array.h"
#include "base/error.h"
#include "base/sort.h"

#include <stdlib.h>

enum { FIRST_EDGES = 1024 };

void tight_init(struct tight *tight, enum tight_end which, const struct bound_row *row,
                size_t nthreads, int64_t added_ticks)
{
    *tight = (struct tight){
        .which = which, .row = row, .added_ticks = added_ticks, .nthreads = nthreads};
}

void tight_fini(struct tight *tight)
{
    free(tight->edges);
    *tight = (struct tight){0};
}

static int compare_edges(const void *a, const void *b)
{
    const struct edge *x = a, *y = b;
    return x->from.thread != y->from.thread ? COMPARE(x->from.thread, y->from.thread)
           : x->to.thread != y->to.thread   ? COMPARE(x->to.thread, y->to.thread)
                                            : COMPARE_THEN(x->from.position, y->from.position,
                                                           COMPARE(x->to.position, y->to.position));
}

/* Keep only the first edge from one thread to another. */
static void sort_edges(struct tight *tight)
{
    struct edge *edges = tight->edges;
    size_t kept = 0;
    SORT(edges, tight->nedges, compare_edges);
    for (size_t i = 0; i < tight->nedges; i++)
        if (kept == 0 || edges[kept - 1].from.thread != edges[i].from.thread ||
            edges[kept - 1].to.thread != edges[i].to.thread)
            edges[kept++] = edges[i];
    tight->nedges = kept;
}

/* Returns false if the bound of the event's thread is infinite. */
static bool put(const void *engine, const struct point *event, int64_t *out)
{
    const struct tight *tight = engine;
    bool from = tight->which == TIGHT_FROM;
    int64_t walk =
        from ? bound_from(tight->row, event->thread) : bound_to(tight->row, event->thread);
    if (walk >= WALK_FAR)
        return false;
    *out = from ? event->x - walk : event->x + walk;
    return true;
}

static csy_status take_pair(void *engine, const struct point *from, const struct point *to,
                            csy_error *error)
{
    struct tight *tight = engine;
    int64_t s, t;
    if (from->thread == to->thread || !put(tight, from, &s) || !put(tight, to, &t) ||
        s != t + tight->added_ticks)
        return CSY_OK;
    if (tight->nedges == tight->edges_capacity) {
        sort_edges(tight);
        size_t need = 2 * tight->nedges + FIRST_EDGES;
        if (!ARRAY_RESERVE(tight->edges, tight->edges_capacity, need))
            return error_memory(error);
    }
    tight->edges[tight->nedges++] = (struct edge){.from = *from, .to = *to};
    return CSY_OK;
}

struct sink tight_sink(struct tight *tight)
{
    return (struct sink){.engine = tight, .pair = take_pair, .put = put};
}

csy_status tight_walk(struct tight *tight, uint32_t from, uint32_t to, struct edge **edges,
                      size_t *n, csy_error *error)
{
    size_t *by = malloc(tight->nthreads * sizeof *by);
    uint32_t *waiting = malloc(tight->nthreads * sizeof *waiting);
    size_t length = 0;
    *edges = NULL;
    if (by && waiting) {
        for (size_t t = 0; t < tight->nthreads; t++)
            by[t] = SIZE_MAX;
        sort_edges(tight);
        /* breadth-first search; by[t] becomes the index of the edge that first reached t */
        size_t next = 0, nwaiting = 1;
        waiting[0] = from;
        while (next < nwaiting && by[to] == SIZE_MAX) {
            uint32_t at = waiting[next++];
            size_t i = 0, high = tight->nedges;
            BISECT(i, high, middle, tight->edges[middle].from.thread < at);
            for (; i < tight->nedges && tight->edges[i].from.thread == at; i++) {
                uint32_t reached = tight->edges[i].to.thread;
                if (reached == from || by[reached] != SIZE_MAX)
                    continue;
                by[reached] = i;
                waiting[nwaiting++] = reached;
            }
        }
        for (uint32_t at = to; at != from && by[at] != SIZE_MAX; length++)
            at = tight->edges[by[at]].from.thread;
        *edges = malloc((length + 1) * sizeof **edges);
    }
    *n = length;
    for (uint32_t at = to; *edges && length > 0; at = (*edges)[length].from.thread)
        (*edges)[--length] = tight->edges[by[at]];
    FREE_ALL(by, waiting);
    return *edges ? CSY_OK : error_memory(error);
}
