/* Eliminates vertices by the multifrontal method (graph/eliminate.h). */
#include "graph/eliminate.h"

#include "base/array.h"
#include "base/error.h"

#include <stdlib.h>
#include <string.h>

/* --- The order of elimination: the approximate minimum degree algorithm ----------------------- */

#define NONE UINT32_MAX

/* A vertex with more than DENSE_TIMES * sqrt(n) neighbours is dense, and eliminated last. */
enum { DENSE_TIMES = 10 };

/* State of the search for an order. The front of an eliminated vertex contains the neighbours that
 * it had when it was eliminated. A vertex v that is not eliminated has two lists: "elements", which
 * are eliminated vertices with v in their fronts, and neighbours that are in none of these fronts:
 *
 *   lists[start[v]]   nelements[v] elements, then nneighbours[v] neighbours */
struct ordering {
    size_t n, left; /* n: number of vertices. left: number of those neither eliminated nor dense. */
    size_t *start;
    uint32_t *lists;
    uint32_t *nelements, *nneighbours;
    uint32_t *degree;
    bool *dense, *gone;
    bool *absorbed;
    uint32_t *head, *next, *last; /* doubly linked lists: head[d] is the first vertex of degree d */
    uint32_t least;
    uint32_t *stamp, now; /* stamp[v] equals `now` if v is in the front that was made
                                   * last */
    /* outside[v]: how many vertices of v's front are not in the front that was made last. Dense
     * vertices do not count. Valid only if seen[v] equals `now`. */
    uint32_t *seen, *outside;
    uint32_t *sparse;
    uint32_t *sequence; /* eliminated vertices in the order of elimination */
    size_t ngone;
    size_t *begin, *size; /* the front of eliminated vertex v begins at fronts[begin[v]] and has
                           * size[v] vertices */
    uint32_t *fronts;
    size_t nfronts, fronts_capacity;
    uint64_t entries, work;
};

void mindegree_fini(struct mindegree *m)
{
    FREE_ALL(m->order, m->at, m->first, m->fronts);
    *m = (struct mindegree){0};
}

static csy_status ordering_init(struct ordering *o, const struct pairs *pairs, csy_error *error)
{
    enum { ARRAYS = 11 };
    size_t n = o->n = pairs->nvertices;
    o->start = calloc(n + 2, sizeof *o->start);
    o->begin = calloc(2 * n + 1, sizeof *o->begin);
    o->lists = malloc((2 * pairs->count + 1) * sizeof *o->lists);
    o->nelements = calloc(ARRAYS * n + 1, sizeof *o->nelements);
    o->dense = calloc(3 * n + 1, sizeof *o->dense);
    if (!o->start || !o->begin || !o->lists || !o->nelements || !o->dense)
        return error_memory(error);
    uint32_t **arrays[ARRAYS] = {&o->nelements, &o->nneighbours, &o->degree,  &o->next,
                                 &o->last,      &o->stamp,       &o->seen,    &o->outside,
                                 &o->sparse,    &o->head,        &o->sequence};
    for (size_t i = 1; i < ARRAYS; i++)
        *arrays[i] = o->nelements + i * n;
    o->size = o->begin + n;
    o->gone = o->dense + n;
    o->absorbed = o->gone + n;
    for (size_t i = 0; i < pairs->count; i++)
        if (pairs->items[i].s != pairs->items[i].t) {
            o->start[pairs->items[i].s + 1]++;
            o->start[pairs->items[i].t + 1]++;
        }
    for (size_t v = 0; v < n; v++)
        o->start[v + 1] += o->start[v];
    for (size_t i = 0; i < pairs->count; i++) {
        const struct clock_pair *pair = &pairs->items[i];
        if (pair->s != pair->t) {
            o->lists[o->start[pair->s] + o->nneighbours[pair->s]++] = pair->t;
            o->lists[o->start[pair->t] + o->nneighbours[pair->t]++] = pair->s;
        }
    }
    size_t at = 0;
    for (uint32_t v = 0; v < n; v++) {
        size_t begin = o->start[v], count = o->nneighbours[v];
        o->start[v] = at;
        o->nneighbours[v] = 0;
        o->now++;
        for (size_t i = begin; i < begin + count; i++) {
            uint32_t to = o->lists[i];
            if (o->stamp[to] == o->now)
                continue;
            o->stamp[to] = o->now;
            o->lists[at++] = to;
            o->nneighbours[v]++;
        }
    }
    return CSY_OK;
}

static void link_vertex(struct ordering *o, uint32_t v, uint32_t degree)
{
    o->degree[v] = degree;
    o->last[v] = NONE;
    o->next[v] = o->head[degree];
    if (o->next[v] != NONE)
        o->last[o->next[v]] = v;
    o->head[degree] = v;
    o->least = degree < o->least ? degree : o->least;
}

static void unlink_vertex(struct ordering *o, uint32_t v)
{
    if (o->last[v] != NONE)
        o->next[o->last[v]] = o->next[v];
    else
        o->head[o->degree[v]] = o->next[v];
    if (o->next[v] != NONE)
        o->last[o->next[v]] = o->last[v];
}

static bool add_to_front(struct ordering *o, uint32_t v)
{
    if (o->stamp[v] == o->now || o->gone[v])
        return true;
    if (!ARRAY_RESERVE(o->fronts, o->fronts_capacity, o->nfronts + 1))
        return false;
    o->stamp[v] = o->now;
    o->fronts[o->nfronts++] = v;
    return true;
}

/* Eliminate v and store its front, which includes the fronts of its elements. These are then no
 * longer used. Returns false if memory runs out. */
static bool make_front(struct ordering *o, uint32_t v)
{
    const uint32_t *lists = o->lists + o->start[v];
    size_t begin = o->nfronts;
    bool good = true;
    o->now++;
    o->gone[v] = true;
    o->begin[v] = begin;
    for (size_t i = 0; i < o->nelements[v] && good; i++) {
        uint32_t e = lists[i];
        for (size_t k = 0; k < o->size[e] && good && !o->absorbed[e]; k++)
            good = add_to_front(o, o->fronts[o->begin[e] + k]);
        o->absorbed[e] = true;
    }
    for (size_t i = 0; i < o->nneighbours[v] && good; i++)
        good = add_to_front(o, lists[o->nelements[v] + i]);
    o->size[v] = o->nfronts - begin;
    size_t sparse = begin;
    for (size_t i = begin; i < o->nfronts; i++) {
        uint32_t of = o->fronts[i];
        if (o->dense[of])
            continue;
        o->fronts[i] = o->fronts[sparse];
        o->fronts[sparse++] = of;
    }
    o->sparse[v] = (uint32_t)(sparse - begin);
    o->sequence[o->ngone++] = v;
    o->entries += o->size[v];
    o->work += (uint64_t)o->size[v] * o->size[v];
    return good;
}

/* Returns the new degree of vertex i. Its lists have room for v, because v replaces an element or a
 * neighbour. */
static uint32_t update_vertex(struct ordering *o, uint32_t i, uint32_t v)
{
    uint32_t *lists = o->lists + o->start[i], elements = 0, neighbours = 0;
    uint32_t *own = lists + o->nelements[i];
    uint64_t degree = o->sparse[v] - 1;
    for (size_t j = 0; j < o->nelements[i]; j++) {
        uint32_t e = lists[j];
        if (o->absorbed[e])
            continue;
        bool inside = o->outside[e] == 0;
        for (size_t k = o->sparse[e]; inside && k < o->size[e]; k++)
            inside = o->stamp[o->fronts[o->begin[e] + k]] == o->now;
        if (inside) {
            o->absorbed[e] = true;
            continue;
        }
        degree += o->outside[e];
        lists[elements++] = e;
    }
    for (size_t j = 0; j < o->nneighbours[i]; j++) {
        uint32_t to = own[j];
        if (o->gone[to] || o->stamp[to] == o->now)
            continue;
        degree += !o->dense[to];
        own[neighbours++] = to;
    }
    memmove(lists + elements + 1, own, neighbours * sizeof *own);
    lists[elements++] = v;
    o->nelements[i] = elements;
    o->nneighbours[i] = neighbours;
    uint64_t grown = (uint64_t)o->degree[i] + o->sparse[v] - 1, most = o->left - 1;
    degree = degree < grown ? degree : grown;
    return (uint32_t)(degree < most ? degree : most);
}

static bool eliminate_next(struct ordering *o)
{
    while (o->head[o->least] == NONE)
        o->least++;
    uint32_t v = o->head[o->least];
    unlink_vertex(o, v);
    o->left--;
    if (!make_front(o, v))
        return false;
    for (size_t k = 0; k < o->sparse[v]; k++) {
        uint32_t i = o->fronts[o->begin[v] + k];
        const uint32_t *lists = o->lists + o->start[i];
        for (size_t j = 0; j < o->nelements[i]; j++) {
            uint32_t e = lists[j];
            if (o->absorbed[e])
                continue;
            if (o->seen[e] != o->now)
                o->outside[e] = o->sparse[e];
            o->seen[e] = o->now;
            o->outside[e]--;
        }
    }
    for (size_t k = 0; k < o->sparse[v]; k++) {
        uint32_t i = o->fronts[o->begin[v] + k];
        unlink_vertex(o, i);
        link_vertex(o, i, update_vertex(o, i, v));
    }
    return true;
}

/* Eliminate the dense vertices as if all of them were neighbours, and then the reference clock tau.
 * Fronts are not stored once o->entries exceeds entries_max. Returns false if memory runs out. */
static bool eliminate_dense(struct ordering *o, uint32_t tau, uint64_t entries_max)
{
    size_t from = o->ngone;
    for (uint32_t v = 0; v < o->n; v++)
        if (o->dense[v] && v != tau)
            o->sequence[o->ngone++] = v;
    o->sequence[o->ngone++] = tau;
    uint64_t d = o->ngone - from;
    o->entries += d * (d - 1) / 2;
    o->work += (d - 1) * d / 2 * (2 * d - 1) / 3;
    for (size_t k = from; k < o->ngone && o->entries <= entries_max; k++) {
        uint32_t v = o->sequence[k];
        o->begin[v] = o->nfronts;
        o->size[v] = o->ngone - k - 1;
        if (!ARRAY_RESERVE(o->fronts, o->fronts_capacity, o->nfronts + o->size[v]))
            return false;
        if (o->size[v] > 0)
            memcpy(o->fronts + o->nfronts, o->sequence + k + 1, o->size[v] * sizeof *o->fronts);
        o->nfronts += o->size[v];
    }
    return true;
}

/* Put each vertex after its children, depth first. The parent of a vertex is the vertex of its
 * front that is eliminated first. The child with the greatest front comes last, because its matrix
 * is used first. Returns false if memory runs out. */
static bool set_order(const struct ordering *o, struct mindegree *out)
{
    enum { ARRAYS = 6 };
    uint32_t n = (uint32_t)o->n, at = 0, top = n;
    size_t npath = 0, size = o->n + 1;
    out->order = malloc(size * sizeof *out->order);
    out->at = malloc(size * sizeof *out->at);
    out->first = calloc(size + 1, sizeof *out->first);
    uint32_t *room = malloc(ARRAYS * size * sizeof *room);
    if (!out->order || !out->at || !out->first || !room) {
        free(room);
        return false;
    }
    uint32_t *place = room, *parent = room + size; /* place: each vertex's index in `sequence` */
    uint32_t *child = room + 2 * size, *brother = room + 3 * size;
    uint32_t *heavy = room + 4 * size, *path = room + 5 * size;
    for (uint32_t k = 0; k < n; k++)
        place[o->sequence[k]] = k;
    for (uint32_t v = 0; v < n; v++) {
        parent[v] = top;
        for (size_t i = 0; i < o->size[v]; i++) {
            uint32_t to = o->fronts[o->begin[v] + i];
            if (parent[v] == top || place[to] < place[parent[v]])
                parent[v] = to;
        }
    }
    for (uint32_t v = 0; v <= n; v++)
        child[v] = heavy[v] = NONE;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t v = o->sequence[k], *heaviest = &heavy[parent[v]];
        if (*heaviest == NONE || o->size[v] > o->size[*heaviest])
            *heaviest = v;
    }
    heavy[top] = o->sequence[n - 1];
    for (uint32_t k = n; k-- > 0;) {
        uint32_t v = o->sequence[k], up = parent[v];
        if (child[up] == NONE) {
            child[up] = heavy[up];
            brother[heavy[up]] = NONE;
        }
        if (v == heavy[up])
            continue;
        brother[v] = child[up];
        child[up] = v;
    }
    for (uint32_t v = child[top]; v != NONE || npath > 0;) {
        for (; v != NONE; v = child[v])
            path[npath++] = v;
        v = path[--npath];
        out->order[at] = v;
        out->at[v] = at++;
        v = brother[v];
    }
    free(room);
    return true;
}

/* Replace the vertices in all fronts by their positions in the final order. Each front is then in
 * descending order. Returns false if memory runs out. */
static bool set_fronts(const struct ordering *o, struct mindegree *out)
{
    size_t n = o->n;
    size_t *first = calloc(n + 2, sizeof *first);
    uint32_t *in = malloc((o->nfronts + 1) * sizeof *in);
    out->fronts = malloc((o->nfronts + 1) * sizeof *out->fronts);
    bool good = first && in && out->fronts;
    for (size_t i = 0; i < o->nfronts && good; i++)
        first[out->at[o->fronts[i]] + 1]++;
    for (size_t k = 0; k < n && good; k++)
        first[k + 1] += first[k];
    for (size_t k = 0; k < n && good; k++) {
        uint32_t v = out->order[k];
        for (size_t i = 0; i < o->size[v]; i++)
            in[first[out->at[o->fronts[o->begin[v] + i]]]++] = (uint32_t)k;
        out->first[k + 1] = out->first[k] + o->size[v];
    }
    for (size_t k = n; k-- > 0 && good;)
        for (size_t i = k ? first[k - 1] : 0; i < first[k]; i++)
            out->fronts[out->first[in[i]]++] = (uint32_t)k;
    if (good) {
        memmove(out->first + 1, out->first, n * sizeof *out->first);
        out->first[0] = 0;
    }
    FREE_ALL(first, in);
    return good;
}

static bool contains(const struct mindegree *m, size_t a, size_t b)
{
    size_t i = m->first[a];
    for (size_t j = m->first[b]; j < m->first[b + 1]; j++, i++) {
        while (i < m->first[a + 1] && m->fronts[i] > m->fronts[j])
            i++;
        if (i == m->first[a + 1] || m->fronts[i] != m->fronts[j])
            return false;
    }
    return true;
}

/* Returns the position of the parent of vertex order[k]: the vertex of its front that is eliminated
 * first. Returns SIZE_MAX if the front is empty. */
static size_t parent_of(const struct mindegree *m, size_t k)
{
    return m->first[k] < m->first[k + 1] ? m->fronts[m->first[k + 1] - 1] : SIZE_MAX;
}

/* Returns the position of the vertex with the greater front, or SIZE_MAX if the matrices of the two
 * vertices cannot be joined. They can be joined if the vertices have the same parent and one front
 * contains the other. */
static size_t join_of(const struct mindegree *m, size_t a, size_t b)
{
    if (parent_of(m, a) != parent_of(m, b))
        return SIZE_MAX;
    return contains(m, a, b) ? a : contains(m, b, a) ? b : SIZE_MAX;
}

static uint64_t cells_of(const struct mindegree *m, size_t k)
{
    uint64_t d = m->first[k + 1] - m->first[k];
    return d * d;
}

/* Returns false if memory runs out. */
static bool count_cells(struct mindegree *m)
{
    size_t n = 0, *waiting = malloc((m->n + 1) * sizeof *waiting);
    uint64_t held = 0;
    if (!waiting)
        return false;
    for (size_t k = 0; k < m->n; k++) {
        uint64_t d = m->first[k + 1] - m->first[k], most = held + (d + 1) * (d + 1);
        m->cells_most = most > m->cells_most ? most : m->cells_most;
        for (; n > 0 && parent_of(m, waiting[n - 1]) == k; n--)
            held -= cells_of(m, waiting[n - 1]);
        if (d == 0)
            continue;
        size_t join = n > 0 ? join_of(m, waiting[n - 1], k) : SIZE_MAX;
        if (join != SIZE_MAX)
            held -= cells_of(m, waiting[--n]);
        waiting[n++] = join != SIZE_MAX ? join : k;
        held += cells_of(m, waiting[n - 1]);
    }
    free(waiting);
    return true;
}

csy_status mindegree_find(const struct pairs *pairs, uint32_t tau, uint64_t entries_max,
                          uint64_t work_max, struct mindegree *out, csy_error *error)
{
    struct ordering o = {0};
    csy_status status = ordering_init(&o, pairs, error);
    bool good = true;
    *out = (struct mindegree){.n = pairs->nvertices};
    if (!status) {
        for (uint32_t v = 0; v < o.n; v++) {
            uint64_t d = o.nneighbours[v];
            o.head[v] = NONE;
            o.dense[v] = v == tau || d * d > (uint64_t)DENSE_TIMES * DENSE_TIMES * o.n;
        }
        for (uint32_t v = 0; v < o.n; v++) {
            uint32_t degree = 0;
            for (size_t i = 0; i < o.nneighbours[v]; i++)
                degree += !o.dense[o.lists[o.start[v] + i]];
            if (!o.dense[v])
                link_vertex(&o, v, degree);
            o.left += !o.dense[v];
        }
    }
    while (!status && good && o.left > 0 && o.entries <= entries_max && o.work <= work_max)
        good = eliminate_next(&o);
    if (!status && good && o.left == 0)
        good = eliminate_dense(&o, tau, entries_max);
    out->entries = o.entries;
    out->work = o.work;
    out->cut_short = o.entries > entries_max || o.work > work_max;
    if (!status && good && !out->cut_short)
        good = set_order(&o, out) && set_fronts(&o, out) && count_cells(out);
    FREE_ALL(o.start, o.lists, o.nelements, o.dense, o.begin, o.fronts);
    if (!status && !good)
        status = error_memory(error);
    if (status)
        mindegree_fini(out);
    return status;
}

/* A matrix that waits for a later elimination. cells[a * stride + b] is the length of the shortest
 * path from its a-th vertex to its b-th vertex. */
struct handed {
    int64_t *cells;
    size_t stride, size;
    size_t place;
};

struct multifrontal {
    const struct pairs *pairs;
    const int64_t *weight;
    const struct mindegree *order;
    struct eliminations *records;
    size_t *first;
    uint32_t *own; /* pairs, sorted by the vertex that is eliminated first */
    uint32_t *local;
    struct handed *waiting; /* a stack: the matrix that was added last is used first */
    size_t nwaiting;
};

static const uint32_t *front_of(const struct multifrontal *e, size_t k)
{
    return e->order->fronts + e->order->first[k];
}

static bool is_handed_to(const struct multifrontal *e, size_t k)
{
    return e->nwaiting > 0 && parent_of(e->order, e->waiting[e->nwaiting - 1].place) == k;
}

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
    for (size_t i = 0; i < e->order->first[k + 1] - e->order->first[k]; i++)
        e->local[ids[i]] = (uint32_t)i;
}

static csy_status eliminate(struct multifrontal *e, size_t k, csy_error *error)
{
    size_t d = e->order->first[k + 1] - e->order->first[k], n = d + 1;
    const uint32_t *ids = front_of(e, k);
    struct handed front;
    set_local(e, k);
    e->local[k] = (uint32_t)d;
    if (is_handed_to(e, k) && e->waiting[e->nwaiting - 1].size == n) {
        front = e->waiting[--e->nwaiting];
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
    /* paths through the eliminated vertex may be shorter than the known paths between its
     * neighbours */
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
    struct handed *top = e->nwaiting > 0 ? &e->waiting[e->nwaiting - 1] : NULL;
    size_t join = top ? join_of(e->order, top->place, k) : SIZE_MAX;
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
