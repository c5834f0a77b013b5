/* The sweep (graph/sweep.h) with an exact, rational delta. It can list the edges of each shortest
 * path, which is called a walk here.
 *
 * Only how a walk was made is stored, not its edges. Either an event added the last edge, or the
 * elimination (removal) of a thread joined two walks. Each elimination is stored, with how these
 * two walks were made. To list the edges of a walk, it is divided again and again, until its parts
 * are single edges.
 *
 * An open walk begins at a thread. Its last edge begins at a record, but does not lead to another
 * record yet. graph/sweep.h calls it a walk to the carrier. */
#include "graph/exact.h"

#include "base/array.h"
#include "base/error.h"
#include "base/slots.h"
#include "base/sort.h"
#include "graph/constraints.h"
#include "graph/minplus.h"

#include <stdlib.h>
#include <string.h>

/* --- Walks, edge by edge --- */

int128 walk_weight(const struct edge *edges, size_t n)
{
    int128 sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (int128)edges[i].to.x - edges[i].from.x - edges[i].latency_ticks;
    return sum;
}

struct place {
    uint32_t thread;
    size_t at; /* index in `path` of the edge that leaves the thread, or SIZE_MAX */
};

static struct place *find_place(struct place *places, size_t n, uint32_t thread)
{
    return FIND(&thread, places, n, compare_ids);
}

csy_status walk_worst_cycle(struct edge *edges, size_t n, size_t *length, csy_error *error)
{
    size_t nworst = 0, npath = 0;
    int128 worst_weight = 0;
    struct edge *worst = malloc(n * sizeof *worst), *path = malloc(n * sizeof *path);
    struct place *places = malloc(n * sizeof *places);
    bool good = worst && path && places;
    for (size_t i = 0; i < n && good; i++)
        places[i] = (struct place){edges[i].from.thread, SIZE_MAX};
    if (good)
        SORT(places, n, compare_ids);
    /* Follow the edges. If a thread is visited again, remove the cycle of the edges in between. */
    for (size_t i = 0; i < n && good; i++) {
        find_place(places, n, edges[i].from.thread)->at = npath;
        path[npath++] = edges[i];
        size_t start = find_place(places, n, edges[i].to.thread)->at;
        if (start == SIZE_MAX)
            continue;
        size_t ncycle = npath - start;
        int128 weight = walk_weight(path + start, ncycle);
        if (nworst == 0 || weight * (int128)nworst < worst_weight * (int128)ncycle) {
            memcpy(worst, path + start, ncycle * sizeof *worst);
            nworst = ncycle;
            worst_weight = weight;
        }
        for (size_t k = start; k < npath; k++)
            find_place(places, n, path[k].from.thread)->at = SIZE_MAX;
        npath = start;
    }
    if (good) {
        memcpy(edges, worst, nworst * sizeof *edges);
        *length = nworst;
    }
    FREE_ALL(worst, path, places);
    return good ? CSY_OK : error_memory(error);
}

/* --- The sweep --- */

#define NONE UINT32_MAX
/* Flag of an index: it refers to exact_matrix.removals, not to exact_matrix.points. */
#define STEP ((uint32_t)1 << 31)

/* Describes how the shortest known path between two threads was found, so that its edges can be
 * listed. Both members are NONE for an empty path. */
struct part {
    uint32_t open;
    uint32_t end;
};

/* Describes paths from and to an eliminated thread: from[i] is the path from thread ids[i] to the
 * eliminated thread, and to[i] the path back to ids[i]. */
struct removal {
    uint32_t thread, live, open;
    struct part *from, *to;
    uint32_t *ids;
};

struct exact_matrix {
    struct slots slots;
    size_t live_max, stride;
    uint32_t *waiting; /* threads that have ended and are not eliminated yet */
    size_t nwaiting, waiting_capacity;
    /* Lengths of paths, multiplied by the denominator of 2 delta so that they are integers. `keys`
     * is for paths between two threads, `carrier_keys` for paths without their last edge. */
    void *keys, *carrier_keys; /* arrays of int64_t, or of int128 if `wide` is true */
    bool wide;
    int128 most;
    uint32_t *counts, *carrier_counts;
    bool counts_fit;
    struct part *parts;
    uint32_t *opens;
    /* references[i] is the number of items of `parts` and `opens` that need points[i]. */
    struct point *points;
    uint32_t *references;
    size_t npoints, points_capacity, references_capacity;
    uint32_t free_point; /* first item of `points` that can be reused; its `thread` is the index of
                          * the next such item */
    struct removal *removals;
    size_t nremovals, removals_capacity;
};

struct edge_list {
    struct edge *items;
    size_t count, capacity;
};

static size_t place_in(const struct removal *removal, uint32_t thread)
{
    size_t i = 0;
    while (removal->ids[i] != thread)
        i++;
    return i;
}

struct visit {
    enum { CLOSED, OPEN, POINT } kind;
    uint32_t a, b;
    struct part part;
};

/* parts[1] is the first part of the path, because the caller pushes both parts on a stack. */
static void divide(const struct exact_matrix *m, struct visit visit, struct visit parts[2])
{
    bool closed = visit.kind == CLOSED;
    uint32_t from = closed ? visit.part.end : visit.part.open;
    if (closed && !(from & STEP)) {
        parts[0] = (struct visit){POINT, 0, 0, visit.part};
        parts[1] = (struct visit){OPEN, visit.a, 0, visit.part};
        return;
    }
    const struct removal *removal = &m->removals[from & ~STEP];
    uint32_t v = removal->thread;
    parts[0] = closed ? (struct visit){CLOSED, v, visit.b, removal->to[place_in(removal, visit.b)]}
                      : (struct visit){OPEN, v, 0, {removal->open, NONE}};
    parts[1] = (struct visit){CLOSED, visit.a, v, removal->from[place_in(removal, visit.a)]};
}

static csy_status exact_walk_edges(const struct exact_matrix *m, uint32_t from, uint32_t to,
                                   struct part part, struct edge_list *list, csy_error *error)
{
    struct visit *stack = NULL;
    size_t depth = 0, capacity = 0;
    bool good = ARRAY_RESERVE(stack, capacity, 1);
    if (good)
        stack[depth++] = (struct visit){CLOSED, from, to, part};
    while (good && depth > 0) {
        struct visit visit = stack[--depth];
        if (visit.kind == POINT) {
            /* an end comes after its start: NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
            list->items[list->count - 1].to = m->points[visit.part.end];
        } else if (visit.kind == OPEN && !(visit.part.open & STEP)) {
            good = ARRAY_RESERVE(list->items, list->capacity, list->count + 1);
            if (good)
                list->items[list->count++] = (struct edge){.from = m->points[visit.part.open]};
        } else {
            good = ARRAY_RESERVE(stack, capacity, depth + 2);
            if (good) {
                divide(m, visit, stack + depth);
                depth += 2;
            }
        }
    }
    free(stack);
    return good ? CSY_OK : error_memory(error);
}

enum { FIRST_SLOTS = 24, ROW_PART = 64, EAGER_MAX = 256 };

void exact_init(struct exact *exact, csy_fraction twice, bool raises)
{
    *exact = (struct exact){.twice = twice, .raises = raises, .eager_max = EAGER_MAX};
}

static void matrix_free(struct exact_matrix *m)
{
    if (!m)
        return;
    for (size_t s = 0; s < m->nremovals; s++)
        free(m->removals[s].from);
    free(m->removals);
    slots_fini(&m->slots);
    FREE_ALL(m->waiting, m->keys, m->carrier_keys, m->counts, m->carrier_counts, m->parts, m->opens,
             m->points, m->references, m);
}

void exact_fini(struct exact *exact)
{
    matrix_free(exact->matrix);
    free(exact->witness);
    *exact = (struct exact){0};
}

static void refer(struct exact_matrix *m, uint32_t point)
{
    if (!(point & STEP))
        m->references[point]++;
}

static void drop(struct exact_matrix *m, uint32_t point)
{
    if (point & STEP || --m->references[point] > 0)
        return;
    m->points[point].thread = m->free_point;
    m->free_point = point;
}

static void set_part(struct exact_matrix *m, size_t at, struct part part)
{
    struct part old = m->parts[at];
    refer(m, part.open);
    refer(m, part.end);
    m->parts[at] = part;
    drop(m, old.open);
    drop(m, old.end);
}

static void set_open(struct exact_matrix *m, size_t a, uint32_t open)
{
    uint32_t old = m->opens[a];
    refer(m, open);
    m->opens[a] = open;
    drop(m, old);
}

/* Greatest key stored in 64 bits. The sum of two such keys does not overflow. */
#define NARROW_MAX ((int128)1 << 60)

static void note_most(struct exact_matrix *m, int128 key)
{
    int128 size = key < 0 ? -key : key;
    m->most = size > m->most ? size : m->most;
}

static uint32_t add_counts(struct exact_matrix *m, uint32_t a, uint32_t b)
{
    uint32_t sum;
    m->counts_fit = !__builtin_add_overflow(a, b, &sum) && m->counts_fit;
    return sum;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

#define KEY int64_t
#define KEY_INF WALK_INF
#define KEY_FAR WALK_FAR
#define KEYED(name) name##_narrow
#define KEY_LOWERS(to, through, first, n) minplus_lowers(to, through, first, n)
#include "graph/exact_keys.h"

#define KEY int128
#define KEY_INF ((int128)1 << 126)
#define KEY_FAR ((int128)1 << 125)
#define KEYED(name) name##_wide
#define KEY_LOWERS(to, through, first, n) true
#include "graph/exact_keys.h"

#define WIDE_INF ((int128)1 << 126)

static void *wider(const int64_t *keys, size_t n)
{
    int128 *wide = malloc(n * sizeof *wide);
    for (size_t i = 0; i < n && wide; i++)
        wide[i] = keys[i] >= WALK_FAR ? WIDE_INF : keys[i];
    return wide;
}

static csy_status make_wide(struct exact_matrix *m, csy_error *error)
{
    void *keys = wider(m->keys, m->stride * m->stride);
    void *carrier_keys = wider(m->carrier_keys, m->stride);
    if (!keys || !carrier_keys) {
        FREE_ALL(keys, carrier_keys);
        return error_memory(error);
    }
    FREE_ALL(m->keys, m->carrier_keys);
    m->keys = keys;
    m->carrier_keys = carrier_keys;
    m->wide = true;
    return CSY_OK;
}

static void set_key(const struct exact_matrix *m, void *keys, size_t at, int128 key)
{
    if (m->wide)
        ((int128 *)keys)[at] = key;
    else
        ((int64_t *)keys)[at] = key == WIDE_INF ? WALK_INF : (int64_t)key;
}

static size_t key_size(const struct exact_matrix *m)
{
    return m->wide ? sizeof(int128) : sizeof(int64_t);
}

static void *new_keys(const struct exact_matrix *m, size_t n)
{
    void *keys = malloc((n + 1) * key_size(m));
    for (size_t i = 0; i < n && keys; i++)
        set_key(m, keys, i, WIDE_INF);
    return keys;
}

/* Copy n rows of a matrix into a wider matrix. Each entry has `size` bytes. */
static void copy_rows(void *to, size_t to_stride, const void *from, size_t stride, size_t n,
                      size_t size)
{
    for (size_t a = 0; a < n; a++)
        memcpy((char *)to + a * to_stride * size, (const char *)from + a * stride * size, n * size);
}

static bool widen(struct exact_matrix *m, size_t stride)
{
    size_t cells = stride * stride, n = m->stride;
    struct exact_matrix w = *m;
    w.keys = new_keys(m, cells);
    w.carrier_keys = new_keys(m, stride);
    w.counts = calloc(cells + 1, sizeof *w.counts);
    w.carrier_counts = calloc(stride + 1, sizeof *w.carrier_counts);
    w.parts = malloc((cells + 1) * sizeof *w.parts);
    w.opens = malloc((stride + 1) * sizeof *w.opens);
    struct exact_matrix *gone = &w;
    if (w.keys && w.carrier_keys && w.counts && w.carrier_counts && w.parts && w.opens) {
        memset(w.parts, 0xff, cells * sizeof *w.parts);
        memset(w.opens, 0xff, stride * sizeof *w.opens);
        w.stride = stride;
        if (n > 0) {
            copy_rows(w.keys, stride, m->keys, m->stride, n, key_size(m));
            copy_rows(w.counts, stride, m->counts, m->stride, n, sizeof *m->counts);
            copy_rows(w.parts, stride, m->parts, m->stride, n, sizeof *m->parts);
            memcpy(w.carrier_keys, m->carrier_keys, n * key_size(m));
            memcpy(w.carrier_counts, m->carrier_counts, n * sizeof *w.carrier_counts);
            memcpy(w.opens, m->opens, n * sizeof *w.opens);
        }
        struct exact_matrix old = *m;
        *m = w;
        w = old;
    }
    FREE_ALL(gone->keys, gone->carrier_keys, gone->counts, gone->carrier_counts, gone->parts,
             gone->opens);
    return m->stride == stride;
}

csy_status exact_begin(struct exact *exact, size_t live_max, csy_error *error)
{
    matrix_free(exact->matrix);
    exact->raised = exact->over = false;
    exact->matrix = calloc(1, sizeof *exact->matrix);
    if (!exact->matrix)
        return error_memory(error);
    exact->matrix->live_max = live_max;
    exact->matrix->counts_fit = true;
    exact->matrix->free_point = NONE;
    size_t slots = exact->expected > FIRST_SLOTS ? exact->expected : FIRST_SLOTS;
    return widen(exact->matrix, least(slots, live_max > FIRST_SLOTS ? live_max : FIRST_SLOTS))
               ? CSY_OK
               : error_memory(error);
}

/* Find the cycle of these edges that requires the greatest timestamp error, and store it as the
 * witness. If exact->raises is true, raise exact->twice (2 delta) to twice this error. The edges
 * must form one or more closed walks. Empties the list. */
static csy_status raise_delta(struct exact *exact, struct edge_list *list, csy_error *error)
{
    size_t length;
    csy_fraction from = exact->twice;
    csy_status status = walk_worst_cycle(list->items, list->count, &length, error);
    if (status)
        return status;
    free(exact->witness);
    exact->witness = list->items;
    exact->nwitness = length;
    exact->raised = true;
    exact->over = !exact->raises;
    list->items = NULL;
    if (!exact->raises)
        return CSY_OK;
    if (!fraction_make(-walk_weight(exact->witness, length), (int128)length, &exact->twice))
        return error_set(error, CSY_INPUT, "delta does not fit 64 bits");
    struct exact_matrix *m = exact->matrix;
    size_t cells = m->stride * m->stride;
    int128 greatest = 0;
    csy_fraction to = exact->twice;
    if (!m->wide) {
        int64_t *keys = m->keys, *carrier = m->carrier_keys;
        bool beyond =
            rekey_narrow(carrier, m->carrier_counts, m->stride, from, to, NARROW_MAX / 2, &greatest,
                         true) ||
            rekey_narrow(keys, m->counts, cells, from, to, NARROW_MAX / 2, &greatest, true);
        if (!beyond) {
            (void)rekey_narrow(carrier, m->carrier_counts, m->stride, from, to, 0, &greatest,
                               false);
            (void)rekey_narrow(keys, m->counts, cells, from, to, 0, &greatest, false);
            m->most = greatest;
            return CSY_OK;
        }
        status = make_wide(m, error);
        if (status)
            return status;
    }
    (void)rekey_wide(m->carrier_keys, m->carrier_counts, m->stride, from, to, 0, &greatest, false);
    (void)rekey_wide(m->keys, m->counts, cells, from, to, 0, &greatest, false);
    return CSY_OK;
}

static csy_status raise_by_diagonal(struct exact *exact, size_t a, csy_error *error)
{
    struct exact_matrix *m = exact->matrix;
    struct edge_list list = {NULL, 0, 0};
    size_t at = a * m->stride + a;
    csy_status status =
        exact_walk_edges(m, m->slots.ids[a], m->slots.ids[a], m->parts[at], &list, error);
    set_part(m, at, (struct part){NONE, NONE});
    m->counts[at] = 0;
    set_key(m, m->keys, at, 0);
    if (!status)
        status = raise_delta(exact, &list, error);
    free(list.items);
    return status;
}

static csy_status eliminate(struct exact *exact, uint32_t thread, csy_error *error)
{
    struct exact_matrix *m = exact->matrix;
    size_t v = m->slots.slot_of[thread], a = 0, b = 0;
    uint32_t step = (uint32_t)m->nremovals | STEP;
    size_t others = m->slots.live - 1, n = 0;
    struct part *parts = malloc(others * (2 * sizeof *parts + sizeof(uint32_t)) + 1);
    if (!parts || m->nremovals == STEP - 1 ||
        !ARRAY_RESERVE(m->removals, m->removals_capacity, m->nremovals + 1)) {
        free(parts);
        return error_memory(error);
    }
    struct removal removal = {m->slots.ids[v], (uint32_t)others,
                              m->opens[v],     parts,
                              parts + others,  (uint32_t *)(void *)(parts + 2 * others)};
    for (size_t i = 0; i < m->slots.used; i++) {
        if (m->slots.ids[i] == NONE || i == v)
            continue;
        struct part *from = &m->parts[i * m->stride + v], *to = &m->parts[v * m->stride + i];
        removal.ids[n] = m->slots.ids[i];
        removal.from[n] = *from;
        removal.to[n++] = *to;
        *from = *to = (struct part){NONE, NONE};
    }
    m->opens[v] = NONE;
    m->removals[m->nremovals++] = removal;
    csy_status status = CSY_OK;
    if (m->wide)
        ((int128 *)m->keys)[v * m->stride + v] = WIDE_INF;
    else
        ((int64_t *)m->keys)[v * m->stride + v] = WALK_INF;
    set_part(m, v * m->stride + v, (struct part){NONE, NONE});
    for (bool over = false; !over && !status;) {
        if (!m->wide && 2 * m->most >= NARROW_MAX)
            status = make_wide(m, error);
        if (status)
            break;
        over = !(m->wide ? walks_through_wide(m, v, step, &a, &b)
                         : walks_through_narrow(m, v, step, &a, &b));
        if (!over)
            status = raise_by_diagonal(exact, a, error);
        b++;
    }
    if (m->wide)
        forget_wide(m, v);
    else
        forget_narrow(m, v);
    slots_give_back(&m->slots, v);
    return status || m->counts_fit
               ? status
               : error_set(error, CSY_INPUT, "a chain of records is too long for 32 bits");
}

csy_status exact_event(void *engine, const struct point *event, csy_error *error)
{
    struct exact *exact = engine;
    struct exact_matrix *m = exact->matrix;
    csy_status status = CSY_OK;
    uint32_t point;
    if (event->thread == m->slots.count) {
        size_t v;
        for (size_t i = 0; i < m->nwaiting && !status; i++)
            status = eliminate(exact, m->waiting[i], error);
        if (status)
            return status;
        m->nwaiting = 0;
        if (m->slots.live == m->live_max)
            return error_set(error, CSY_MEMORY, "more than %zu threads are active at once",
                             m->live_max);
        if (!slots_take(&m->slots, event->thread, &v) ||
            (v == m->stride && !widen(m, m->stride + m->stride / 4)))
            return error_memory(error);
        set_key(m, m->keys, v * m->stride + v, 0);
        m->counts[v * m->stride + v] = 0;
    }
    if (!ARRAY_TAKE(m->points, m->points_capacity, m->npoints, thread, m->free_point, &point) ||
        point >= STEP - 1 || !ARRAY_RESERVE(m->references, m->references_capacity, m->npoints))
        return error_memory(error);
    m->points[point] = *event;
    m->references[point] = 1;
    size_t j = m->slots.slot_of[event->thread];
    for (size_t a = 0; a < m->slots.used && !status; a++) {
        int128 by = (int128)event->x * exact->twice.den + exact->twice.num;
        if (!m->wide && m->most + (by < 0 ? -by : by) >= NARROW_MAX)
            status = make_wide(m, error);
        if (status)
            break;
        if (m->wide ? close_walks_wide(m, j, by, point, &a)
                    : close_walks_narrow(m, j, by, point, &a))
            status = raise_by_diagonal(exact, a, error);
    }
    int128 key = -(int128)event->x * exact->twice.den;
    bool lower =
        m->wide ? key < ((int128 *)m->carrier_keys)[j] : key < ((int64_t *)m->carrier_keys)[j];
    if (!status && lower && !m->wide && (key < 0 ? -key : key) >= NARROW_MAX)
        status = make_wide(m, error);
    if (!status && lower) {
        set_key(m, m->carrier_keys, j, key);
        m->carrier_counts[j] = 0;
        note_most(m, key);
        set_open(m, j, point);
    }
    drop(m, point);
    return status;
}

csy_status exact_ended(void *engine, uint32_t thread, csy_error *error)
{
    struct exact *exact = engine;
    struct exact_matrix *m = exact->matrix;
    if (m->slots.live <= exact->eager_max)
        return eliminate(exact, thread, error);
    if (!ARRAY_RESERVE(m->waiting, m->waiting_capacity, m->nwaiting + 1))
        return error_memory(error);
    m->waiting[m->nwaiting++] = thread;
    return CSY_OK;
}

/* At the end of a trace, search for negative cycles, and raise 2 delta until there is none. */
static csy_status search_cycles(struct exact *exact, csy_error *error)
{
    struct exact_matrix *m = exact->matrix;
    size_t n = m->slots.used, length;
    void *distances = malloc(n * sizeof(int128));
    uint32_t *parents = malloc(3 * n * sizeof *parents);
    csy_status status = distances && parents ? CSY_OK : error_memory(error);
    while (!status) {
        uint32_t *seen = parents + n, *loop = parents + 2 * n;
        memset(distances, 0, n * sizeof(int128));
        memset(parents, 0xff, n * sizeof *parents);
        if (!m->wide && m->most * (int128)(n + 1) >= WALK_MAX)
            status = make_wide(m, error);
        length = 0;
        while (!status && length == 0 &&
               (m->wide ? lower_all_wide(m, distances, parents)
                        : lower_all_narrow(m, distances, parents)))
            length = cycle_of_parents(parents, n, seen, loop);
        if (length > 0) {
            struct edge_list list = {NULL, 0, 0};
            for (size_t i = 0; i < length && !status; i++) {
                uint32_t a = loop[i], b = loop[(i + 1) % length];
                status = exact_walk_edges(m, m->slots.ids[a], m->slots.ids[b],
                                          m->parts[a * m->stride + b], &list, error);
            }
            if (!status)
                status = raise_delta(exact, &list, error);
            free(list.items);
        }
        if (length == 0 || !exact->raises)
            break;
    }
    FREE_ALL(distances, parents);
    return status;
}

csy_status exact_finish(struct exact *exact, csy_error *error)
{
    struct exact_matrix *m = exact->matrix;
    csy_status status = CSY_OK;
    bool eager = m->slots.live <= exact->eager_max;
    if (!eager && (exact->raises || !exact->raised))
        status = search_cycles(exact, error);
    /* If a given 2 delta is too small, threads are not eliminated: lengths of paths would double
     * each time, because of a cycle with a negative length. */
    for (size_t v = 0; v < m->slots.used && eager && !status && (exact->raises || !exact->raised);
         v++)
        if (m->slots.ids[v] != NONE)
            status = eliminate(exact, m->slots.ids[v], error);
    matrix_free(m);
    exact->matrix = NULL;
    return status;
}

struct sink exact_sink(struct exact *exact)
{
    return (struct sink){
        .engine = exact, .event = exact_event, .ended = exact_ended, .over = &exact->over};
}
