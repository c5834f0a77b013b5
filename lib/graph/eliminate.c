/* Eliminates vertices by the multifrontal method (graph/eliminate.h). */
#include "graph/eliminate.h"

#include "base/array.h"
#include "base/error.h"

#include <stdlib.h>
#include <string.h>

/* The matrix that is left from an elimination, and is used in a later one. cells[a * stride + b] is
 * the shortest walk from the a-th to the b-th vertex of the eliminated vertex's front. */
struct handed {
    int64_t *cells;
    size_t stride, size;
    size_t place; /* position, in the order of elimination, of the vertex that was eliminated */
};

struct multifrontal {
    const struct pairs *pairs;
    const int64_t *weight;
    const struct mindegree *order;
    struct eliminations *records;
    size_t *first;          /* for each position in the order: index in `own` of its first pair */
    uint32_t *own;          /* pairs, sorted by the earlier eliminated of their two vertices */
    uint32_t *local;        /* for each position in the order: row in the present front's matrix */
    struct handed *waiting; /* stack of waiting matrices; those needed next are on top */
    size_t nwaiting;
};

static size_t front_size(const struct multifrontal *e, size_t k)
{
    return e->order->first[k + 1] - e->order->first[k];
}

static const uint32_t *front_of(const struct multifrontal *e, size_t k)
{
    return e->order->fronts + e->order->first[k];
}

/* Returns true if the matrix on top of the stack waits for the k-th vertex in the order. */
static bool is_handed_to(const struct multifrontal *e, size_t k)
{
    return e->nwaiting > 0 && mindegree_parent(e->order, e->waiting[e->nwaiting - 1].place) == k;
}

/* Lower the entries of matrix `to` to the entries of `from`, which an earlier elimination left. */
static void assemble(struct multifrontal *e, const struct handed *from, const struct handed *to)
{
    const uint32_t *ids = front_of(e, from->place);
    for (size_t a = 0; a < from->size; a++) {
        const int64_t *walks = from->cells + a * from->stride;
        int64_t *row = to->cells + e->local[ids[a]] * to->stride;
        for (size_t b = 0; b < from->size; b++)
            walk_lower(&row[e->local[ids[b]]], walks[b]);
    }
}

static void set_local(struct multifrontal *e, size_t k)
{
    const uint32_t *ids = front_of(e, k);
    for (size_t i = 0; i < front_size(e, k); i++)
        e->local[ids[i]] = (uint32_t)i;
}

static csy_status eliminate(struct multifrontal *e, size_t k, csy_error *error)
{
    size_t d = front_size(e, k), n = d + 1;
    const uint32_t *ids = front_of(e, k);
    struct handed front;
    set_local(e, k);
    e->local[k] = (uint32_t)d; /* the eliminated vertex has the last row and column of the matrix */
    if (is_handed_to(e, k) && e->waiting[e->nwaiting - 1].size == n) {
        front = e->waiting[--e->nwaiting]; /* reuse this matrix, which has the same vertices */
    } else {
        front = (struct handed){malloc(n * n * sizeof *front.cells), n, n, k};
        if (!front.cells)
            return error_memory(error);
        for (size_t i = 0; i < n * n; i++)
            front.cells[i] = WALK_INF;
    }
    while (is_handed_to(e, k)) {
        assemble(e, &e->waiting[e->nwaiting - 1], &front);
        free(e->waiting[--e->nwaiting].cells);
    }
    for (size_t i = e->first[k]; i < e->first[k + 1]; i++) {
        const struct clock_pair *pair = &e->pairs->items[e->own[i]];
        size_t s = e->local[e->order->at[pair->s]], t = e->local[e->order->at[pair->t]];
        if (s != t)
            walk_lower(&front.cells[s * front.stride + t], e->weight[e->own[i]]);
    }
    struct elimination_room room;
    const int64_t *own_row = front.cells + d * front.stride;
    csy_status status = eliminations_add(e->records, e->order->order[k], n, &room, error);
    for (size_t i = 0; i < d && !status; i++) {
        room.ids[i] = e->order->order[ids[i]];
        room.row[i] = own_row[i];
        room.column[i] = front.cells[i * front.stride + d];
    }
    if (!status) {
        room.ids[d] = e->order->order[k];
        room.row[d] = room.column[d] = 0;
    }
    /* lower each walk between other vertices to the walk through the eliminated vertex */
    bool fits = true;
    for (size_t a = 0; a < d && !status; a++) {
        int64_t *row = front.cells + a * front.stride;
        if (row[d] < WALK_FAR)
            fits = minplus_row(row, own_row, row[d], d) && fits;
    }
    if (!fits)
        status = walk_range_error(error);
    front.size = d;
    front.place = k;
    if (status || d == 0) {
        free(front.cells);
        return status;
    }
    /* push the matrix, or merge it with the top one if one front contains the other */
    struct handed *top = e->nwaiting > 0 ? &e->waiting[e->nwaiting - 1] : NULL;
    size_t join = top ? mindegree_join(e->order, top->place, k) : SIZE_MAX;
    if (join == SIZE_MAX) {
        e->waiting[e->nwaiting++] = front;
        return CSY_OK;
    }
    struct handed *other = join == k ? top : &front, stays = join == k ? front : *top;
    set_local(e, join);
    assemble(e, other, &stays);
    free(other->cells);
    *top = stays;
    return CSY_OK;
}

csy_status eliminate_pairs(const struct pairs *pairs, const int64_t *weight,
                           const struct mindegree *order, struct eliminations *out,
                           csy_error *error)
{
    struct multifrontal e = {.pairs = pairs, .weight = weight, .order = order, .records = out};
    *out = (struct eliminations){.nthreads = pairs->nvertices, .any_order = true};
    size_t n = order->n, count = pairs->count;
    const uint32_t *at = order->at;
    e.first = calloc(n + 2, sizeof *e.first);
    e.own = malloc((count + 1) * sizeof *e.own);
    e.local = malloc((n + 1) * sizeof *e.local);
    e.waiting = malloc((n + 1) * sizeof *e.waiting);
    csy_status status = e.first && e.own && e.local && e.waiting ? CSY_OK : error_memory(error);
    /* sort the pairs by their vertices: first count, then fill */
    for (int fill = 0; fill < 2 && !status; fill++) {
        for (size_t i = 0; i < count; i++) {
            uint32_t s = at[pairs->items[i].s], t = at[pairs->items[i].t];
            size_t *slot = &e.first[(s < t ? s : t) + (fill ? 1 : 2)];
            if (fill)
                e.own[*slot] = (uint32_t)i;
            ++*slot;
        }
        for (size_t k = 0; k < n && !fill; k++)
            e.first[k + 2] += e.first[k + 1];
    }
    for (size_t k = 0; k < order->n && !status; k++)
        status = eliminate(&e, k, error);
    while (e.nwaiting > 0)
        free(e.waiting[--e.nwaiting].cells);
    FREE_ALL(e.first, e.own, e.local, e.waiting);
    if (status)
        eliminations_fini(out);
    return status;
}
