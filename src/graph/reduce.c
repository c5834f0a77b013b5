/* Points -> pairs of clocks. */
#include "graph/reduce.h"

#include "base/array.h"
#include "base/error.h"
#include "base/memory.h"
#include "graph/minplus.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NOWHERE UINT32_MAX
#define EMPTY UINT64_MAX

/* Values that are known, lo + latencies, stay below this, so that pairs are walks. */
#define KNOWN_MAX (WALK_MAX / 2)

/* A list takes part in a chain's places: two of them, a candidate for what all before may be
 * dropped for, and the last one. */
struct mark {
    uint32_t place; /* in the chain; NOWHERE: none */
    int64_t hi;
};

struct entry {
    uint32_t vertex;
    uint32_t point; /* that the value is from */
    int64_t value;
    uint32_t grew; /* at this place of the chain */
    struct mark candidate, last;
};

struct list {
    struct entry *entries;
    size_t count, capacity;
    uint32_t places;
};

/* What is known at a point. */
struct known {
    uint32_t vertex, point;
    int64_t value;
    uint32_t old[2]; /* its entries in the lists of the chains, or NOWHERE */
    bool dropped;
};

/* What was known at a point that edges leave, until the last of them is served: in the pool, a head
 * and its items after it, in blocks of powers of two. */
union kept {
    struct {
        uint32_t count, left; /* items; edges */
        uint32_t size_class;
        uint32_t next_free;
    } head;
    struct {
        uint32_t vertex, point;
        int64_t value;
    } item;
};

enum { SIZE_CLASSES = 32 };

struct pool {
    union kept *items;
    size_t count, capacity;
    uint32_t free[SIZE_CLASSES]; /* 0: none; the first item is never used */
};

struct cell {
    uint64_t key; /* s, t */
    int64_t weight;
    uint32_t from, to;
};

struct reducing {
    const struct points *points;
    size_t nclocks, nvertices;
    int64_t window;
    struct list *lists; /* of locations, then of buffers */
    size_t nlists;
    uint32_t *slot_of;   /* by vertex: its known, or NOWHERE */
    struct known *known; /* at the present point */
    size_t nknown;
    struct entry *fresh; /* what a list becomes */
    uint32_t *left;      /* by point: edges that leave it; once it is visited, its snapshot in the
                            pool, or 0: it only knows itself */
    struct pool pool;
    struct cell *cells;
    size_t ncells, cells_size; /* a power of 2 */
};

void pairs_fini(struct pairs *pairs)
{
    free(pairs->items);
    free(pairs->first);
    *pairs = (struct pairs){0};
}

/* --- The table of pairs --- */

static uint64_t hash_of(uint64_t key)
{
    key *= 0x9e3779b97f4a7c15u;
    return key ^ key >> 32;
}

static struct cell *find_cell(const struct reducing *r, uint64_t key)
{
    size_t i = (size_t)hash_of(key) & (r->cells_size - 1);
    while (r->cells[i].key != key && r->cells[i].key != EMPTY)
        i = (i + 1) & (r->cells_size - 1);
    return &r->cells[i];
}

static csy_status grow_cells(struct reducing *r, csy_error *error)
{
    struct cell *old = r->cells;
    size_t old_size = r->cells_size, size = old_size ? 2 * old_size : 1024;
    struct cell *cells =
        memory_allows((uint128)size * sizeof *cells) ? malloc(size * sizeof *cells) : NULL;
    if (!cells)
        return error_memory(error);
    memset(cells, 0xff, size * sizeof *cells);
    r->cells = cells;
    r->cells_size = size;
    for (size_t i = 0; i < old_size; i++)
        if (old[i].key != EMPTY)
            *find_cell(r, old[i].key) = old[i];
    free(old);
    return CSY_OK;
}

static csy_status refuse_pairs(csy_error *error)
{
    return error_set(error, CSY_MEMORY,
                     "more than %zu pairs of clocks, or of clocks and groups, have constraints of "
                     "their own",
                     PAIRS_MAX);
}

static csy_status add_pair(struct reducing *r, const struct cell *pair, csy_error *error)
{
    struct cell *cell = find_cell(r, pair->key);
    if (cell->key == pair->key) {
        if (pair->weight < cell->weight)
            *cell = *pair;
        return CSY_OK;
    }
    if (r->ncells == PAIRS_MAX)
        return refuse_pairs(error);
    *cell = *pair;
    r->ncells++;
    return r->ncells > r->cells_size / 4 * 3 ? grow_cells(r, error) : CSY_OK;
}

/* --- Snapshots --- */

/* A block of n items and a head; 0 on no memory. */
static uint32_t pool_take(struct pool *pool, size_t n)
{
    unsigned size_class = 0;
    while (((size_t)1 << size_class) < n + 1)
        size_class++;
    uint32_t at = pool->free[size_class];
    if (at) {
        pool->free[size_class] = pool->items[at].head.next_free;
    } else {
        size_t begin = pool->count ? pool->count : 1, end = begin + ((size_t)1 << size_class);
        if (end > UINT32_MAX || !ARRAY_RESERVE(pool->items, pool->capacity, end))
            return 0;
        at = (uint32_t)begin;
        pool->count = end;
    }
    pool->items[at].head.size_class = size_class;
    pool->items[at].head.count = (uint32_t)n;
    return at;
}

static void pool_give_back(struct pool *pool, uint32_t at)
{
    unsigned size_class = pool->items[at].head.size_class;
    pool->items[at].head.next_free = pool->free[size_class];
    pool->free[size_class] = at;
}

/* --- A point --- */

static uint32_t vertex_of(const struct reducing *r, const struct instant *p)
{
    return instant_is_hub(p) ? (uint32_t)r->nclocks + p->clock : p->clock;
}

static struct known *know(struct reducing *r, uint32_t vertex, int64_t value, uint32_t point)
{
    uint32_t *slot = &r->slot_of[vertex];
    struct known *known;
    if (*slot == NOWHERE) {
        *slot = (uint32_t)r->nknown++;
        known = &r->known[*slot];
        *known = (struct known){vertex, point, value, {NOWHERE, NOWHERE}, false};
        return known;
    }
    known = &r->known[*slot];
    if (value > known->value) {
        known->value = value;
        known->point = point;
    }
    return known;
}

/* The lists of the chains that it is in; returns how many. */
static size_t lists_of(const struct reducing *r, const struct instant *p, struct list *out[2])
{
    size_t n = 0;
    if (!instant_is_hub(p) && p->chained)
        out[n++] = &r->lists[p->location];
    if (p->buffer != NO_BUFFER)
        out[n++] = &r->lists[r->points->nlocations + p->buffer];
    return n;
}

static csy_status refuse_range(csy_error *error)
{
    return error_set(error, CSY_INPUT,
                     "times and latencies of one clock, or of clocks against each other, are 2^58 "
                     "ticks or more apart");
}

/* What the source of an edge knew, moved by the latency. */
static csy_status serve_edge(struct reducing *r, const struct order_edge *edge, csy_error *error)
{
    const struct instant *from = &r->points->items[edge->from];
    int64_t latency = edge->latency_ticks;
    uint32_t at = r->left[edge->from];
    if (latency > KNOWN_MAX)
        return refuse_range(error);
    if (at == 0 || !r->pool.items) {
        if (from->lo > KNOWN_MAX - latency)
            return refuse_range(error);
        know(r, vertex_of(r, from), from->lo + latency, edge->from);
        return CSY_OK;
    }
    const union kept *head = &r->pool.items[at];
    for (uint32_t i = 0; i < head->head.count; i++) {
        const union kept *item = head + 1 + i;
        if (item->item.value > KNOWN_MAX - latency)
            return refuse_range(error);
        know(r, item->item.vertex, item->item.value + latency, item->item.point);
    }
    if (--r->pool.items[at].head.left == 0)
        pool_give_back(&r->pool, at);
    return CSY_OK;
}

static csy_status gather(struct reducing *r, uint32_t p, struct list *const lists[2], size_t n,
                         csy_error *error)
{
    csy_status status = CSY_OK;
    for (size_t c = 0; c < n; c++)
        for (size_t i = 0; i < lists[c]->count; i++) {
            const struct entry *entry = &lists[c]->entries[i];
            know(r, entry->vertex, entry->value, entry->point)->old[c] = (uint32_t)i;
        }
    uint32_t end = r->points->first_edge[p + 1];
    for (uint32_t i = r->points->first_edge[p]; i < end && !status; i++)
        status = serve_edge(r, &r->points->edges[i], error);
    return status;
}

static csy_status make_pairs(struct reducing *r, uint32_t p, uint32_t t, csy_error *error)
{
    const struct instant *item = &r->points->items[p];
    csy_status status = CSY_OK;
    if (item->hi == HI_NONE)
        return CSY_OK;
    for (size_t i = 0; i < r->nknown && !status; i++) {
        const struct known *known = &r->known[i];
        int64_t weight = item->hi - known->value;
        struct cell pair = {(uint64_t)known->vertex << 32 | t, weight, known->point, p};
        if (known->vertex != t || weight < 0)
            status = add_pair(r, &pair, error);
    }
    return status;
}

/* The place of the chain up to which all but t may be dropped, NOWHERE if none: the last known one
 * of t whose hi is at most `reach`.  There may be a later one: two places are remembered of each t,
 * so that lists are up to twice as long as they need be. */
static uint32_t droppable(struct entry *own, uint32_t place, int64_t hi, int64_t reach)
{
    const struct mark here = {place, hi}, none = {NOWHERE, 0};
    uint32_t up_to = NOWHERE;
    if (hi <= reach) {
        own->candidate = own->last = none;
        return place;
    }
    if (own->candidate.place != NOWHERE && own->candidate.hi <= reach) {
        up_to = own->candidate.place;
        own->candidate = own->last;
        if (own->candidate.place != NOWHERE && own->candidate.hi <= reach) {
            up_to = own->candidate.place;
            own->candidate = none;
        }
    }
    if (hi == HI_NONE)
        return up_to;
    if (own->candidate.place == NOWHERE)
        own->candidate = here;
    own->last = here;
    return up_to;
}

/* What the c-th chain of p knows after it: all that p knows, less what follows from p. */
static csy_status hand_on(struct reducing *r, const struct instant *item, struct list *list,
                          size_t c, csy_error *error)
{
    uint32_t t = vertex_of(r, item), place = list->places++, up_to = NOWHERE;
    struct known *own = r->slot_of[t] == NOWHERE ? NULL : &r->known[r->slot_of[t]];
    size_t n = 0;
    if (!ARRAY_RESERVE(list->entries, list->capacity, r->nknown + 1) || !list->entries)
        return error_memory(error);
    if (own && item->lo != LO_NONE) {
        const struct entry *old = own->old[c] == NOWHERE ? NULL : &list->entries[own->old[c]];
        const struct mark none = {NOWHERE, 0};
        struct entry *entry = &r->fresh[n++];
        *entry = (struct entry){t, own->point, own->value, place, none, none};
        if (old) {
            entry->candidate = old->candidate;
            entry->last = old->last;
            entry->grew = old->value == own->value ? old->grew : place;
        }
        up_to = droppable(entry, place, item->hi, own->value - r->window);
    }
    for (size_t i = 0; i < r->nknown; i++) {
        struct known *known = &r->known[i];
        if (n > 0 && known == own)
            continue;
        const struct entry *old = known->old[c] == NOWHERE ? NULL : &list->entries[known->old[c]];
        struct entry *entry = &r->fresh[n];
        if (old)
            *entry = *old;
        else
            *entry = (struct entry){
                .vertex = known->vertex, .candidate = {NOWHERE, 0}, .last = {NOWHERE, 0}};
        entry->grew = old && old->value == known->value ? old->grew : place;
        entry->value = known->value;
        entry->point = known->point;
        if (up_to != NOWHERE && entry->grew <= up_to)
            known->dropped = true;
        else
            n++;
    }
    memcpy(list->entries, r->fresh, n * sizeof *r->fresh);
    list->count = n;
    return CSY_OK;
}

/* The same where p is in no chain. */
static void drop_others(struct reducing *r, const struct instant *item, uint32_t t)
{
    bool follow = item->lo != LO_NONE && item->hi <= r->known[r->slot_of[t]].value - r->window;
    for (size_t i = 0; i < r->nknown && follow; i++)
        r->known[i].dropped = r->known[i].vertex != t;
}

/* Keep what p knows for the edges that leave it. */
static csy_status keep(struct reducing *r, uint32_t p, uint32_t t, csy_error *error)
{
    const struct instant *item = &r->points->items[p];
    size_t n = 0;
    if (r->left[p] == 0)
        return CSY_OK;
    for (size_t i = 0; i < r->nknown; i++)
        n += !r->known[i].dropped;
    const struct known *own = r->slot_of[t] == NOWHERE ? NULL : &r->known[r->slot_of[t]];
    if (n == 1 && own && !own->dropped && own->value == item->lo) {
        r->left[p] = 0;
        return CSY_OK;
    }
    uint32_t at = pool_take(&r->pool, n);
    if (!at)
        return error_memory(error);
    union kept *head = &r->pool.items[at], *next = head + 1;
    head->head.left = r->left[p];
    r->left[p] = at;
    for (size_t i = 0; i < r->nknown; i++) {
        const struct known *known = &r->known[i];
        if (known->dropped)
            continue;
        next->item.vertex = known->vertex;
        next->item.point = known->point;
        next->item.value = known->value;
        next++;
    }
    return CSY_OK;
}

static void forget_known(struct reducing *r)
{
    for (size_t i = 0; i < r->nknown; i++)
        r->slot_of[r->known[i].vertex] = NOWHERE;
    r->nknown = 0;
}

/* A hub stands for all that is before it: pairs into it have no slack. */
static csy_status visit_hub(struct reducing *r, uint32_t p, uint32_t t, csy_error *error)
{
    csy_status status = gather(r, p, NULL, 0, error);
    if (!status)
        status = make_pairs(r, p, t, error);
    r->left[p] = 0;
    forget_known(r);
    return status;
}

static csy_status visit_point(struct reducing *r, uint32_t p, csy_error *error)
{
    const struct instant *item = &r->points->items[p];
    uint32_t t = vertex_of(r, item);
    struct list *lists[2] = {NULL, NULL};
    if (instant_is_hub(item))
        return visit_hub(r, p, t, error);
    size_t n = lists_of(r, item, lists);
    csy_status status = gather(r, p, lists, n, error);
    if (!status)
        status = make_pairs(r, p, t, error);
    if (status)
        return status;
    if (item->lo != LO_NONE)
        know(r, t, item->lo, p);
    if (n == 0)
        drop_others(r, item, t);
    for (size_t c = 0; c < n && !status; c++)
        status = hand_on(r, item, lists[c], c, error);
    if (!status)
        status = keep(r, p, t, error);
    forget_known(r);
    return status;
}

/* --- All of them --- */

static csy_status reducing_init(struct reducing *r, csy_error *error)
{
    const struct points *points = r->points;
    r->nvertices = r->nclocks + points->nhubs;
    r->nlists = points->nlocations + points->nbuffers;
    r->lists = calloc(r->nlists + 1, sizeof *r->lists);
    r->slot_of = malloc((r->nvertices + 1) * sizeof *r->slot_of);
    r->known = malloc((r->nvertices + 1) * sizeof *r->known);
    r->fresh = malloc((r->nvertices + 1) * sizeof *r->fresh);
    r->left = calloc(points->count + 1, sizeof *r->left);
    if (!r->lists || !r->slot_of || !r->known || !r->fresh || !r->left)
        return error_memory(error);
    memset(r->slot_of, 0xff, r->nvertices * sizeof *r->slot_of);
    for (size_t i = 0; i < points->nedges; i++)
        r->left[points->edges[i].from]++;
    return grow_cells(r, error);
}

static void reducing_fini(struct reducing *r)
{
    for (size_t i = 0; r->lists && i < r->nlists; i++)
        free(r->lists[i].entries);
    free(r->lists);
    free(r->slot_of);
    free(r->known);
    free(r->fresh);
    free(r->left);
    free(r->pool.items);
    free(r->cells);
}

/* Sort by t, then stably by s, each by counting. */
static csy_status collect(struct reducing *r, struct pairs *out, csy_error *error)
{
    size_t n = r->nvertices, count = r->ncells;
    *out = (struct pairs){.nclocks = r->nclocks, .nvertices = n, .count = count};
    size_t *first = calloc(n + 2, sizeof *first);
    struct cell *by_t = calloc(count + 1, sizeof *by_t);
    out->first = calloc(n + 2, sizeof *out->first);
    out->items = malloc((count + 1) * sizeof *out->items);
    if (!first || !by_t || !out->first || !out->items) {
        free(first);
        free(by_t);
        pairs_fini(out);
        return error_memory(error);
    }
    for (size_t i = 0; i < r->cells_size; i++)
        if (r->cells[i].key != EMPTY) {
            first[(uint32_t)r->cells[i].key + 1]++;
            out->first[(r->cells[i].key >> 32) + 1]++;
        }
    for (size_t v = 0; v < n; v++) {
        first[v + 1] += first[v];
        out->first[v + 1] += out->first[v];
    }
    for (size_t i = 0; i < r->cells_size; i++)
        if (r->cells[i].key != EMPTY)
            by_t[first[(uint32_t)r->cells[i].key]++] = r->cells[i];
    for (size_t i = 0; i < count; i++) {
        uint32_t s = (uint32_t)(by_t[i].key >> 32), t = (uint32_t)by_t[i].key;
        out->items[out->first[s]++] =
            (struct clock_pair){s, t, by_t[i].weight, by_t[i].from, by_t[i].to};
    }
    memmove(out->first + 1, out->first, n * sizeof *out->first);
    out->first[0] = 0;
    free(first);
    free(by_t);
    return CSY_OK;
}

csy_status reduce_points(const struct points *points, const uint32_t *order, size_t nclocks,
                         int64_t window, struct pairs *out, csy_error *error)
{
    struct reducing r = {.points = points, .nclocks = nclocks, .window = window};
    csy_status status = reducing_init(&r, error);
    *out = (struct pairs){0};
    for (size_t i = 0; i < points->count && !status; i++)
        status = visit_point(&r, order[i], error);
    if (!status)
        status = collect(&r, out, error);
    reducing_fini(&r);
    return status;
}
