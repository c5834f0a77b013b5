/* Computes constraints between clocks from the order of events (graph/reduce.h). */
#include "graph/reduce.h"

#include "base/array.h"
#include "base/error.h"
#include "graph/age_matrix.h"
#include "graph/minplus.h"

#include <stdlib.h>
#include <string.h>

#define KNOWN_MAX (WALK_MAX / 2)

#define NOWHERE UINT32_MAX

/* A place in the sequence of points of one location or buffer. `hi` is the latest time of the point
 * at this place. */
struct mark {
    uint32_t place;
    int64_t hi;
};

struct entry {
    uint32_t vertex;
    uint32_t point;
    int64_t value;
    uint32_t grew;
    bool by_hub;
    struct mark candidate, last;
};

struct list {
    struct entry *entries;
    size_t count, capacity;
    uint32_t places;
};

/* A point that precedes the visited point. `value` is its time plus the latencies between the two
 * points. `vertex` is its clock or hub (a group of points, graph/reduce.h). */
struct known {
    uint32_t vertex, point;
    int64_t value;
    uint32_t old[2]; /* old[0]: index of the entry for `vertex` in the list of the visited point's
                      * location; old[1]: in the list of its buffer; NOWHERE if there is none */
    uint32_t next;   /* index in reduction.known of the next element with the same vertex, or
                      * NOWHERE */
    bool dropped;
    bool implied;
    bool by_hub; /* true if every path of edges from `point` to the visited point leads through a
                  * hub */
};

/* An element of an array that a point stores for the later points at the ends of its edges. The
 * first element of the array is `head`, the others are items. */
union kept {
    struct {
        /* left: number of edges from the point to points that were not visited yet */
        uint32_t count, left;
        uint32_t size_class;
        uint32_t next_free;
    } head;
    struct {
        uint32_t point;
        uint32_t vertex : 31;
        uint32_t by_hub : 1;
        int64_t value;
    } item;
};

enum { SIZE_CLASSES = 32 };

struct pool {
    union kept *items;
    size_t count, capacity;
    uint32_t free[SIZE_CLASSES]; /* for each size: first free block, or 0 (item 0 is never used) */
};

struct reduction {
    const struct points *points;
    const struct order_edge *edges; /* the edges to the point being visited */
    size_t nedges;
    size_t nclocks, nvertices;
    int64_t window;
    struct list *lists; /* one list for each location, then one for each buffer */
    size_t nlists;
    uint32_t *slot_of;
    struct known *known;
    size_t nknown, known_capacity;
    uint32_t own;
    struct entry *fresh; /* scratch memory for the entries of a list */
    size_t fresh_capacity;
    /* [p]: number of edges that lead from point p. After the visit of p: index in `pool` of the
     * array that p stores for these edges, or 0. */
    uint32_t *left;
    struct pool pool;
    const uint32_t *rate_ppb; /* greatest drift rate of each vertex's clock; NULL if clocks do not
                               * drift */
    bool passes_hubs;
    /* [s * nclocks + t]: true if clocks s and t have a constraint that does not come from a hub (a
     * group of points) */
    uint8_t *met;
    /* [t * nclocks + s]: least weight of all constraints from clock s to clock t; may be NULL */
    int64_t *least;
    struct pair_table table;
    struct age_matrix *ages; /* if not NULL, constraints are added to this matrix instead of
                              * `table` */
};

/* Allocate a head and n items in the pool. Returns the head's index, or 0 if out of memory. */
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

static uint32_t reduction_vertex(const struct reduction *r, const struct instant *p)
{
    return instant_is_hub(p) ? (uint32_t)r->nclocks + p->clock : p->clock;
}

/* Returns true if `known` implies all constraints that follow from `point`, another point of the
 * same clock or hub. `value` means for `point` what known->value means for known->point. */
static bool says(const struct reduction *r, const struct known *known, int64_t value,
                 uint32_t point)
{
    uint32_t vertex = known->vertex;
    uint32_t rate = r->rate_ppb && vertex < r->nclocks ? r->rate_ppb[vertex] : 0;
    int64_t by;
    if (rate == 0 || known->value < value || known->point == point)
        return known->value >= value;
    by = r->points->items[known->point].lo - r->points->items[point].lo;
    return ((int128)known->value - value) * RATE_UNIT >= (int128)rate * (by < 0 ? -by : by);
}

/* *out becomes the index in r->known of the new element, or of an element that implies the same
 * constraints. */
static csy_status add_known(struct reduction *r, const struct known *fresh, uint32_t *out,
                            csy_error *error)
{
    uint32_t *slot = &r->slot_of[fresh->vertex];
    while (*slot != NOWHERE) {
        struct known *known = &r->known[*slot];
        bool said = fresh->value > known->value && says(r, fresh, known->value, known->point);
        *out = *slot;
        if (said || says(r, known, fresh->value, fresh->point)) {
            known->value = said ? fresh->value : known->value;
            known->point = said ? fresh->point : known->point;
            known->by_hub &= fresh->by_hub;
            return CSY_OK;
        }
        slot = &known->next;
    }
    *out = *slot = (uint32_t)r->nknown;
    if (!ARRAY_RESERVE(r->known, r->known_capacity, r->nknown + 1))
        return error_memory(error);
    struct known *known = &r->known[r->nknown++];
    *known = *fresh;
    known->old[0] = known->old[1] = known->next = NOWHERE;
    return CSY_OK;
}

static csy_status far_apart_error(csy_error *error)
{
    return error_set(error, CSY_INPUT,
                     "times and latencies of one clock, or of clocks against each other, are 2^58 "
                     "ticks or more apart");
}

static csy_status serve_edge(struct reduction *r, const struct order_edge *edge, csy_error *error)
{
    const struct instant *from = &r->points->items[edge->from];
    int64_t latency = edge->latency_ticks;
    uint32_t at = r->left[edge->from], slot;
    bool hub = instant_is_hub(from);
    if (latency > KNOWN_MAX)
        return far_apart_error(error);
    if (at == 0 || !r->pool.items || (hub && !r->passes_hubs)) {
        if (from->lo > KNOWN_MAX - latency)
            return far_apart_error(error);
        const struct known own = {
            .vertex = reduction_vertex(r, from), .value = from->lo + latency, .point = edge->from};
        return add_known(r, &own, &slot, error);
    }
    const union kept *head = &r->pool.items[at];
    for (uint32_t i = 0; i < head->head.count; i++) {
        const union kept *item = head + 1 + i;
        if (item->item.value > KNOWN_MAX - latency)
            return far_apart_error(error);
        const struct known fresh = {.vertex = item->item.vertex,
                                    .value = item->item.value + latency,
                                    .point = item->item.point,
                                    .by_hub = hub || item->item.by_hub};
        csy_status status = add_known(r, &fresh, &slot, error);
        if (status)
            return status;
    }
    if (--r->pool.items[at].head.left == 0)
        pool_give_back(&r->pool, at);
    return CSY_OK;
}

static csy_status gather(struct reduction *r, struct list *const lists[2], size_t n,
                         csy_error *error)
{
    csy_status status = CSY_OK;
    uint32_t slot = 0;
    for (size_t c = 0; c < n; c++)
        for (size_t i = 0; i < lists[c]->count && !status; i++) {
            const struct entry *entry = &lists[c]->entries[i];
            const struct known fresh = {.vertex = entry->vertex,
                                        .value = entry->value,
                                        .point = entry->point,
                                        .by_hub = entry->by_hub};
            status = add_known(r, &fresh, &slot, error);
            if (!status)
                r->known[slot].old[c] = (uint32_t)i;
        }
    for (size_t i = 0; i < r->nedges && !status; i++)
        status = serve_edge(r, &r->edges[i], error);
    return status;
}

/* Set `implied` for each hub in r->known that precedes another hub in r->known. The later hub
 * implies its constraint, because the timestamp error is not added to constraints that end at a
 * hub. */
static void pass_hubs(struct reduction *r)
{
    for (size_t i = 0; i < r->nedges; i++) {
        const struct order_edge *edge = &r->edges[i];
        const struct instant *from = &r->points->items[edge->from];
        uint32_t at = r->left[edge->from];
        if (at == 0 || !r->pool.items || !instant_is_hub(from))
            continue;
        union kept *head = &r->pool.items[at];
        for (uint32_t k = 0; k < head->head.count; k++) {
            const union kept *item = head + 1 + k;
            uint32_t slot = r->slot_of[item->item.vertex];
            if (slot != NOWHERE && r->known[slot].value <= item->item.value + edge->latency_ticks)
                r->known[slot].implied = true;
        }
        if (--head->head.left == 0)
            pool_give_back(&r->pool, at);
    }
}

/* Returns true if `pair`, a constraint between two points of one clock, is stricter than the
 * greatest drift rate of this clock. */
static bool binds_itself(const struct reduction *r, const struct clock_pair *pair)
{
    const struct instant *items = r->points->items;
    if (!r->rate_ppb)
        return pair->weight < 0;
    int64_t apart = items[pair->to].hi - items[pair->from].lo;
    return (int128)pair->weight * RATE_UNIT <
           (int128)r->rate_ppb[pair->t] * (apart < 0 ? -apart : apart);
}

static csy_status add_pair(struct reduction *r, const struct clock_pair *pair, bool direct,
                           csy_error *error)
{
    const struct instant *items = r->points->items;
    if (r->met)
        r->met[pair->s * r->nclocks + pair->t] |= direct;
    if (pair->s == pair->t && !binds_itself(r, pair))
        return CSY_OK;
    if (r->least) {
        int64_t *least = &r->least[pair->t * r->nclocks + pair->s];
        if (*least < pair->weight)
            return CSY_OK;
        *least = pair->weight;
    }
    return r->ages ? age_matrix_add(r->ages,
                                    &(struct age_constraint){pair->s, pair->t, items[pair->from].lo,
                                                             items[pair->to].hi, pair->weight},
                                    error)
                   : pair_table_add(&r->table, pair, error);
}

static csy_status make_pairs(struct reduction *r, uint32_t p, uint32_t t, csy_error *error)
{
    const struct instant *item = &r->points->items[p];
    csy_status status = CSY_OK;
    if (item->hi == HI_NONE)
        return CSY_OK;
    for (size_t i = 0; i < r->nknown && !status; i++) {
        const struct known *known = &r->known[i];
        struct clock_pair pair = {known->vertex, t, item->hi - known->value, known->point, p};
        status = add_pair(r, &pair, !known->by_hub, error);
    }
    return status;
}

static csy_status make_limits(struct reduction *r, uint32_t p, uint32_t t, csy_error *error)
{
    const struct instant *item = &r->points->items[p];
    const struct order_limit *limits;
    size_t n = r->points->nlimits > 0 ? points_limits_of(r->points, p, &limits) : 0;
    csy_status status = CSY_OK;
    for (size_t i = 0; i < n && !status && item->hi != HI_NONE; i++) {
        const struct instant *later = &r->points->items[limits[i].later];
        if (later->lo == LO_NONE || limits[i].most_ticks > KNOWN_MAX)
            continue;
        struct clock_pair pair = {reduction_vertex(r, later), t,
                                  item->hi - later->lo + limits[i].most_ticks, limits[i].later, p};
        status = add_pair(r, &pair, true, error);
    }
    return status;
}

/* Returns the index of a point of this location or buffer, or NOWHERE. Entries of other vertices
 * that have not increased since this point can be dropped. Only two such points are stored in
 * `own`, so lists can be twice as long as necessary. */
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

static bool is_same(const struct reduction *r, const struct entry *old, const struct known *known)
{
    return old->value == known->value && (!r->rate_ppb || old->point == known->point);
}

static int64_t reach_of(const struct reduction *r, const struct instant *item)
{
    return (r->rate_ppb ? item->lo : r->known[r->own].value) - r->window;
}

/* `c` is 0 for the list of a location, and 1 for the list of a buffer. */
static csy_status hand_on(struct reduction *r, const struct instant *item, struct list *list,
                          size_t c, csy_error *error)
{
    uint32_t place = list->places++, up_to = NOWHERE;
    struct known *own = r->own == NOWHERE ? NULL : &r->known[r->own];
    size_t n = 0;
    if (!ARRAY_RESERVE(list->entries, list->capacity, r->nknown + 1) ||
        !ARRAY_RESERVE(r->fresh, r->fresh_capacity, r->nknown + 1) || !list->entries)
        return error_memory(error);
    if (own) {
        const struct entry *old = own->old[c] == NOWHERE ? NULL : &list->entries[own->old[c]];
        const struct mark none = {NOWHERE, 0};
        struct entry *entry = &r->fresh[n++];
        *entry = (struct entry){own->vertex, own->point, own->value, place, false, none, none};
        if (old) {
            entry->candidate = old->candidate;
            entry->last = old->last;
            entry->grew = is_same(r, old, own) ? old->grew : place;
        }
        up_to = droppable(entry, place, item->hi, reach_of(r, item));
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
        entry->grew = old && is_same(r, old, known) ? old->grew : place;
        entry->value = known->value;
        entry->point = known->point;
        entry->by_hub = known->by_hub;
        if (up_to != NOWHERE && entry->grew <= up_to)
            known->dropped = item->hi != HI_NONE;
        else
            n += !known->implied;
    }
    memcpy(list->entries, r->fresh, n * sizeof *r->fresh);
    list->count = n;
    return CSY_OK;
}

static bool is_kept(const struct reduction *r, const struct known *known, bool hubs)
{
    return hubs ? known->vertex >= r->nclocks : !known->dropped && !known->implied;
}

static csy_status keep_for_edges(struct reduction *r, uint32_t p, csy_error *error)
{
    const struct instant *item = &r->points->items[p];
    bool hubs = instant_is_hub(item) && !r->passes_hubs;
    size_t n = 0;
    if (r->left[p] == 0)
        return CSY_OK;
    for (size_t i = 0; i < r->nknown; i++)
        n += is_kept(r, &r->known[i], hubs);
    const struct known *own = r->own == NOWHERE ? NULL : &r->known[r->own];
    if ((hubs && n == 0) || (n == 1 && own && !own->dropped && own->value == item->lo &&
                             r->points->items[own->point].lo == item->lo)) {
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
        if (!is_kept(r, known, hubs))
            continue;
        *next++ = (union kept){.item = {.point = known->point,
                                        .vertex = known->vertex & INT32_MAX,
                                        .by_hub = known->by_hub,
                                        .value = known->value}};
    }
    return CSY_OK;
}

static void forget_known(struct reduction *r)
{
    for (size_t i = 0; i < r->nknown; i++)
        r->slot_of[r->known[i].vertex] = NOWHERE;
    r->nknown = 0;
    r->own = NOWHERE;
}

static csy_status reduction_visit(struct reduction *r, uint32_t p, const struct order_edge *edges,
                                  size_t nedges, csy_error *error)
{
    const struct instant *item = &r->points->items[p];
    uint32_t t = reduction_vertex(r, item);
    struct list *lists[2] = {NULL, NULL};
    r->edges = edges;
    r->nedges = nedges;
    bool hub = instant_is_hub(item);
    size_t n = 0;
    if (!hub && item->chained)
        lists[n++] = &r->lists[item->location];
    if (!hub && item->buffer != NO_BUFFER)
        lists[n++] = &r->lists[r->points->nlocations + item->buffer];
    csy_status status = gather(r, lists, n, error);
    if (!status && (!hub || !r->passes_hubs))
        status = make_pairs(r, p, t, error);
    if (!status && !hub)
        status = make_limits(r, p, t, error);
    if (!status && !r->passes_hubs)
        pass_hubs(r);
    if (hub && !status)
        status = keep_for_edges(r, p, error);
    if (hub) {
        forget_known(r);
        return status;
    }
    if (!status && item->lo != LO_NONE)
        status = add_known(r, &(struct known){.vertex = t, .value = item->lo, .point = p}, &r->own,
                           error);
    if (status)
        return status;
    if (n == 0) {
        bool follow = r->own != NOWHERE && item->hi <= reach_of(r, item);
        for (size_t i = 0; i < r->nknown && follow; i++)
            r->known[i].dropped = r->known[i].vertex != t;
    }
    for (size_t c = 0; c < n && !status; c++)
        status = hand_on(r, item, lists[c], c, error);
    if (!status)
        status = keep_for_edges(r, p, error);
    forget_known(r);
    return status;
}

static csy_status reduction_init(struct reduction *r, csy_error *error)
{
    const struct points *points = r->points;
    r->nvertices = r->nclocks + (r->passes_hubs ? 0 : points->nhubs);
    r->nlists = points->nlocations + points->nbuffers;
    r->lists = calloc(r->nlists + 1, sizeof *r->lists);
    r->slot_of = malloc((r->nvertices + 1) * sizeof *r->slot_of);
    r->own = NOWHERE;
    r->left = calloc(points->count + 1, sizeof *r->left);
    r->met = r->passes_hubs ? calloc(r->nclocks * r->nclocks + 1, 1) : NULL;
    bool few = r->passes_hubs && !r->rate_ppb;
    r->least = few ? malloc((r->nclocks * r->nclocks + 1) * sizeof *r->least) : NULL;
    if (!r->lists || !r->slot_of || !r->left || (r->passes_hubs && !r->met) || (few && !r->least))
        return error_memory(error);
    for (size_t i = 0; few && i < r->nclocks * r->nclocks; i++)
        r->least[i] = INT64_MAX;
    memset(r->slot_of, 0xff, r->nvertices * sizeof *r->slot_of);
    for (size_t i = 0; i < points->nedges; i++)
        r->left[points->edges[i].from]++;
    return pair_table_init(&r->table, points, r->rate_ppb, error);
}

static void reduction_fini(struct reduction *r)
{
    for (size_t i = 0; r->lists && i < r->nlists; i++)
        free(r->lists[i].entries);
    FREE_ALL(r->lists, r->slot_of, r->known, r->fresh, r->left, r->pool.items, r->met, r->least);
    pair_table_fini(&r->table);
}

static csy_status reduction_collect(struct reduction *r, struct pairs *out, csy_error *error)
{
    csy_status status = pair_table_collect(&r->table, r->nclocks, r->nvertices, out, error);
    out->met = status ? NULL : r->met;
    r->met = status ? r->met : NULL;
    return status;
}

csy_status reduce_points(const struct points *points, const uint32_t *order, size_t nclocks,
                         const struct reduce_window *window, struct pairs *out, csy_error *error)
{
    struct reduction r = {.points = points,
                          .nclocks = nclocks,
                          .window = window->ticks,
                          .rate_ppb = window->rate_ppb,
                          .passes_hubs = window->passes_hubs};
    csy_status status = reduction_init(&r, error);
    *out = (struct pairs){0};
    for (size_t i = 0; i < points->count && !status; i++) {
        const struct order_edge *edges = NULL;
        size_t first = points->first_edge[order[i]], n = 0;
        if (points->nedges > 0) {
            edges = points->edges + first;
            n = points->first_edge[order[i] + 1] - first;
        }
        status = reduction_visit(&r, order[i], edges, n, error);
    }
    if (!status)
        status = reduction_collect(&r, out, error);
    reduction_fini(&r);
    return status;
}

/* --- Points that arrive one by one ----------------------------------------------------------- */

enum { POINTS_MIN = 4096, PAIRS_A_POINT = 4, HUBS_MIN = 64 };

struct reduce_stream {
    struct reduction reduction;
    struct points *points;
    size_t limit;
    size_t left_capacity, slots_capacity, lists_capacity;
    size_t nhubs, hubs_capacity;
    uint32_t *unused; /* vertex numbers of removed hubs (groups of points,
                       * graph/reduce.h), which new hubs get */
    size_t nunused;
};

csy_status reduce_stream_new(struct points *points, size_t nlocations, size_t nclocks,
                             const struct reduce_window *window, struct age_matrix *ages,
                             struct reduce_stream **out, csy_error *error)
{
    struct reduce_stream *stream = calloc(1, sizeof *stream);
    *out = stream;
    if (!stream)
        return error_memory(error);
    points_fini(points);
    points->nlocations = nlocations;
    *stream = (struct reduce_stream){.reduction = {.points = points,
                                                   .nclocks = nclocks,
                                                   .window = window->ticks,
                                                   .rate_ppb = window->rate_ppb,
                                                   .passes_hubs = window->passes_hubs,
                                                   .ages = ages},
                                     .points = points,
                                     .limit = POINTS_MIN,
                                     .left_capacity = 1};
    return reduction_init(&stream->reduction, error);
}

void reduce_stream_free(struct reduce_stream *stream)
{
    if (stream) {
        reduction_fini(&stream->reduction);
        free(stream->unused);
    }
    free(stream);
}

csy_status reduce_stream_grow(struct reduce_stream *stream, size_t nclocks, size_t nbuffers,
                              const uint32_t *rate_ppb, csy_error *error)
{
    struct reduction *r = &stream->reduction;
    size_t nlists = stream->points->nlocations + nbuffers;
    if (!ARRAY_RESERVE(r->slot_of, stream->slots_capacity, nclocks + 1) ||
        !ARRAY_RESERVE(r->lists, stream->lists_capacity, nlists + 1))
        return error_memory(error);
    for (; r->nvertices < nclocks; r->nvertices++)
        r->slot_of[r->nvertices] = NOWHERE;
    for (; r->nlists < nlists; r->nlists++)
        r->lists[r->nlists] = (struct list){0};
    r->nclocks = r->nvertices;
    r->rate_ppb = r->table.rate_ppb = rate_ppb;
    return CSY_OK;
}

static struct list *list_of(const struct reduce_stream *stream, uint32_t buffer)
{
    return &stream->reduction.lists[stream->points->nlocations + buffer];
}

uint32_t reduce_stream_places(const struct reduce_stream *stream, uint32_t buffer)
{
    return list_of(stream, buffer)->places;
}

void reduce_stream_set_hi(struct reduce_stream *stream, uint32_t buffer, uint32_t clock,
                          uint32_t place, int64_t hi)
{
    struct list *list = list_of(stream, buffer);
    size_t own = 0, n = 0;
    while (own < list->count && list->entries[own].vertex != clock)
        own++;
    if (own == list->count)
        return;
    struct entry *entry = &list->entries[own];
    uint32_t up_to = droppable(entry, place, hi, entry->value - stream->reduction.window);
    for (size_t i = 0; i < list->count && up_to != NOWHERE; i++)
        if (list->entries[i].vertex == clock || list->entries[i].grew > up_to)
            list->entries[n++] = list->entries[i];
    list->count = up_to == NOWHERE ? list->count : n;
}

void reduce_stream_release(struct reduce_stream *stream, uint32_t point)
{
    struct reduction *r = &stream->reduction;
    if (r->left[point] != 0)
        pool_give_back(&r->pool, r->left[point]);
    r->left[point] = 0;
}

static bool number_hub(struct reduce_stream *stream, uint32_t *out)
{
    struct reduction *r = &stream->reduction;
    if (stream->nunused > 0) {
        *out = stream->unused[--stream->nunused];
        return true;
    }
    if (stream->nhubs == stream->hubs_capacity) {
        size_t capacity = 2 * stream->hubs_capacity + HUBS_MIN, n = r->nclocks + capacity;
        uint32_t *unused = realloc(stream->unused, capacity * sizeof *unused);
        if (!unused)
            return false;
        stream->unused = unused;
        uint32_t *slot_of = realloc(r->slot_of, (n + 1) * sizeof *slot_of);
        if (!slot_of)
            return false;
        for (size_t v = r->nvertices; v < n; v++)
            slot_of[v] = NOWHERE;
        r->slot_of = slot_of;
        r->nvertices = n;
        stream->hubs_capacity = capacity;
    }
    *out = (uint32_t)stream->nhubs++;
    return true;
}

csy_status reduce_stream_add(struct reduce_stream *stream, const struct reduce_stream_point *point,
                             uint32_t *out, csy_error *error)
{
    const struct instant *instant = point->instant;
    struct reduction *r = &stream->reduction;
    struct points *points = stream->points;
    if (points->count == NO_POINT - 1 ||
        (!instant_is_hub(instant) && instant->chained &&
         r->lists[instant->location].places == NOWHERE - 1) ||
        (instant->buffer != NO_BUFFER && list_of(stream, instant->buffer)->places == NOWHERE - 1))
        return error_set(error, CSY_MEMORY, "more than 2^32 - 2 points of order");
    if (!ARRAY_RESERVE(points->items, points->capacity, points->count + 1) ||
        !ARRAY_RESERVE(r->left, stream->left_capacity, points->count + 1))
        return error_memory(error);
    *out = (uint32_t)points->count;
    points->items[points->count] = *instant;
    if (instant_is_hub(instant) && !r->passes_hubs &&
        !number_hub(stream, &points->items[points->count].clock))
        return error_memory(error);
    r->left[points->count++] = point->leaves;
    return reduction_visit(r, *out, point->edges, point->n, error);
}

bool reduce_stream_is_full(const struct reduce_stream *stream)
{
    const struct age_matrix *ages = stream->reduction.ages;
    return stream->points->count >= stream->limit || (ages && age_matrix_is_full(ages));
}

uint32_t *reduce_stream_marks(const struct reduce_stream *stream)
{
    return calloc(stream->points->count + 1, sizeof(uint32_t));
}

enum { USED = PAIR_USES, UNDER_WAY = 2 | USED };

static union kept *snapshot_of(const struct reduction *r, size_t p)
{
    return r->left[p] == 0 ? NULL : &r->pool.items[r->left[p]];
}

void reduce_stream_remove(struct reduce_stream *stream, uint32_t *marks)
{
    struct reduction *r = &stream->reduction;
    struct points *points = stream->points;
    uint32_t n = 0;
    for (size_t p = 0; p < points->count; p++)
        marks[p] = marks[p] ? UNDER_WAY : 0;
    for (size_t p = 0; p < points->count; p++) {
        const union kept *head = marks[p] == UNDER_WAY ? snapshot_of(r, p) : NULL;
        for (uint32_t i = 0; head && i < head->head.count; i++)
            marks[head[1 + i].item.point] |= USED;
    }
    for (size_t l = 0; l < r->nlists; l++)
        for (size_t i = 0; i < r->lists[l].count; i++)
            marks[r->lists[l].entries[i].point] |= USED;
    pair_table_mark(&r->table, marks);
    for (size_t p = 0; p < points->count; p++) {
        const struct instant *item = &points->items[p];
        bool hub = instant_is_hub(item);
        if (r->ages && marks[p] != 0 && !(hub && r->passes_hubs))
            age_matrix_keep(r->ages, reduction_vertex(r, item), item->lo);
        if (marks[p] == 0 && hub && !r->passes_hubs)
            stream->unused[stream->nunused++] = item->clock;
    }
    if (r->ages)
        age_matrix_drop(r->ages);
    for (size_t p = 0; p < points->count; p++) {
        uint32_t mark = marks[p];
        marks[p] = n;
        points->items[n] = points->items[p];
        r->left[n] = mark == UNDER_WAY ? r->left[p] : 0;
        n += mark != 0;
    }
    points->count = n;
    for (size_t p = 0; p < points->count; p++) {
        union kept *head = snapshot_of(r, p);
        for (uint32_t i = 0; head && i < head->head.count; i++)
            head[1 + i].item.point = marks[head[1 + i].item.point];
    }
    for (size_t l = 0; l < r->nlists; l++)
        for (size_t i = 0; i < r->lists[l].count; i++)
            r->lists[l].entries[i].point = marks[r->lists[l].entries[i].point];
    pair_table_renumber(&r->table, marks);
    /* Removing points also visits all pairs. If there are many pairs, do it less often. */
    const struct pair_table *table = &stream->reduction.table;
    size_t count = stream->points->count,
           more = (table->cells_size + table->nstacked) / PAIRS_A_POINT;
    more = count > more ? count : more;
    stream->limit = count + (more > POINTS_MIN ? more : POINTS_MIN);
}

csy_status reduce_stream_collect(struct reduce_stream *stream, struct pairs *out, csy_error *error)
{
    struct reduction *r = &stream->reduction;
    uint32_t *marks = reduce_stream_marks(stream);
    if (!marks)
        return error_memory(error);
    for (size_t l = 0; l < r->nlists; l++)
        r->lists[l].count = 0;
    reduce_stream_remove(stream, marks);
    free(marks);
    ARRAY_FIT(stream->points->items, stream->points->capacity, stream->points->count);
    return reduction_collect(r, out, error);
}
