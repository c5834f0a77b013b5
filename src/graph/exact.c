/* The sweep with an exact, rational delta that remembers its walks. */
#include "graph/exact.h"

#include "base/array.h"
#include "base/error.h"

#include <stdlib.h>

#define NONE UINT32_MAX

enum { FIRST_SLOTS = 24 };

/* A walk's weight is weight + count * 2 delta; key is that times q. */
struct entry {
    int128 key, weight;
    int64_t count;
    struct walk_node *node; /* NULL: of no length */
    bool reached;
};

struct exact_matrix {
    size_t live_max, slots, stride, live, nthreads;
    uint32_t *ids;     /* by slot; NONE: free */
    uint32_t *slot_of; /* by thread */
    size_t slot_of_capacity;
    struct entry *d;       /* stride * stride */
    struct entry *carrier; /* stride */
};

void exact_init(struct exact *exact, csy_fraction twice, bool raises)
{
    *exact = (struct exact){.twice = twice, .raises = raises};
}

static void clear(struct entry *entry)
{
    walk_drop(entry->node);
    *entry = (struct entry){0};
}

static void matrix_free(struct exact_matrix *m)
{
    if (!m)
        return;
    for (size_t i = 0; i < m->stride * m->stride; i++)
        clear(&m->d[i]);
    for (size_t i = 0; i < m->stride; i++)
        clear(&m->carrier[i]);
    free(m->d);
    free(m->carrier);
    free(m->ids);
    free(m->slot_of);
    free(m);
}

void exact_fini(struct exact *exact)
{
    matrix_free(exact->matrix);
    free(exact->witness);
    *exact = (struct exact){0};
}

static bool widen(struct exact_matrix *m, size_t stride)
{
    /* The stride is never 0: NOLINTNEXTLINE(clang-analyzer-optin.portability.UnixAPI) */
    struct entry *d = calloc(stride * stride, sizeof *d);
    struct entry *carrier = calloc(stride, sizeof *carrier);
    uint32_t *ids = malloc(stride * sizeof *ids);
    if (!d || !carrier || !ids) {
        free(d);
        free(carrier);
        free(ids);
        return false;
    }
    for (size_t i = 0; i < stride; i++)
        ids[i] = i < m->slots ? m->ids[i] : NONE;
    for (size_t a = 0; a < m->slots; a++) {
        /* The stride is never 0: NOLINTNEXTLINE(clang-analyzer-unix.Malloc) */
        carrier[a] = m->carrier[a];
        for (size_t b = 0; b < m->slots; b++)
            d[a * stride + b] = m->d[a * m->stride + b];
    }
    free(m->d);
    free(m->carrier);
    free(m->ids);
    m->d = d;
    m->carrier = carrier;
    m->ids = ids;
    m->stride = stride;
    return true;
}

csy_status exact_begin(struct exact *exact, size_t live_max, csy_error *error)
{
    matrix_free(exact->matrix);
    exact->raised = false;
    exact->matrix = calloc(1, sizeof *exact->matrix);
    if (!exact->matrix)
        return error_memory(error);
    exact->matrix->live_max = live_max;
    return widen(exact->matrix, FIRST_SLOTS) ? CSY_OK : error_memory(error);
}

static int128 key_of(const struct exact *exact, int128 weight, int64_t count)
{
    return weight * exact->twice.den + (int128)count * exact->twice.num;
}

/* All keys again, after 2 delta has been raised. */
static void rekey(struct exact *exact)
{
    struct exact_matrix *m = exact->matrix;
    for (size_t i = 0; i < m->stride * m->stride; i++)
        m->d[i].key = key_of(exact, m->d[i].weight, m->d[i].count);
    for (size_t i = 0; i < m->stride; i++)
        m->carrier[i].key = key_of(exact, m->carrier[i].weight, m->carrier[i].count);
}

/* A negative closed walk: keep its worst cycle as the witness and raise 2 delta to what it asks. */
static csy_status take_negative(struct exact *exact, const struct walk_node *closed,
                                csy_error *error)
{
    struct walk_edge *edges;
    size_t n, length;
    csy_status status = walk_edges(closed, &edges, &n, error);
    if (status)
        return status;
    status = walk_worst_cycle(edges, n, &length, error);
    if (status) {
        free(edges);
        return status;
    }
    free(exact->witness);
    exact->witness = edges;
    exact->nwitness = length;
    exact->raised = true;
    if (!exact->raises)
        return CSY_OK;
    if (!fraction_make(-walk_weight(edges, length), (int128)length, &exact->twice))
        return error_set(error, CSY_INPUT, "delta needs more than 64 bits");
    rekey(exact);
    return CSY_OK;
}

/* Walk `first`, which is closed, and then `next`. */
static csy_status join(const struct entry *first, const struct entry *next, struct entry *out,
                       csy_error *error)
{
    struct walk_node *node = first->node && next->node
                                 ? walk_join(first->node, next->node)
                                 : walk_keep(first->node ? first->node : next->node);
    if (!node)
        return error_memory(error);
    *out = (struct entry){first->key + next->key, first->weight + next->weight,
                          first->count + next->count, node, true};
    return CSY_OK;
}

/* Lower `to` to first + next where that is less. */
static csy_status lower_joined(struct entry *to, const struct entry *first,
                               const struct entry *next, csy_error *error)
{
    struct entry joined;
    if (!first->reached || !next->reached || (to->reached && to->key <= first->key + next->key))
        return CSY_OK;
    csy_status status = join(first, next, &joined, error);
    if (status)
        return status;
    walk_drop(to->node);
    *to = joined;
    return CSY_OK;
}

/* A diagonal entry that has become negative. */
static csy_status settle_diagonal(struct exact *exact, struct entry *diagonal, csy_error *error)
{
    if (diagonal->key >= 0)
        return CSY_OK;
    csy_status status = take_negative(exact, diagonal->node, error);
    clear(diagonal);
    diagonal->reached = true;
    return status;
}

static csy_status add_thread(struct exact_matrix *m, uint32_t thread, csy_error *error)
{
    if (!ARRAY_RESERVE(m->slot_of, m->slot_of_capacity, (size_t)thread + 1))
        return error_memory(error);
    if (m->live == m->live_max)
        return error_set(error, CSY_MEMORY, "more than %zu threads are live at once", m->live_max);
    size_t v = 0;
    while (v < m->slots && m->ids[v] != NONE)
        v++;
    if (v == m->stride && !widen(m, 2 * m->stride))
        return error_memory(error);
    m->slots = v < m->slots ? m->slots : v + 1;
    m->ids[v] = thread;
    m->slot_of[thread] = (uint32_t)v;
    m->d[v * m->stride + v].reached = true;
    m->live++;
    m->nthreads = (size_t)thread + 1;
    return CSY_OK;
}

/* An edge from the record at the open end of C[a] to this event, which closes it. */
static csy_status close_walk(struct exact *exact, size_t a, size_t j,
                             const struct walk_point *event, csy_error *error)
{
    struct exact_matrix *m = exact->matrix;
    const struct entry *open = &m->carrier[a];
    struct entry *to = &m->d[a * m->stride + j];
    int128 key = open->key + key_of(exact, event->x, 1);
    if (!open->reached || (to->reached && to->key <= key))
        return CSY_OK;
    struct walk_node *node = walk_end(open->node, event);
    if (!node)
        return error_memory(error);
    walk_drop(to->node);
    *to = (struct entry){key, open->weight + event->x, open->count + 1, node, true};
    return a == j ? settle_diagonal(exact, to, error) : CSY_OK;
}

static csy_status open_walk(struct exact *exact, size_t j, const struct walk_point *event,
                            csy_error *error)
{
    struct entry *carrier = &exact->matrix->carrier[j];
    int128 key = key_of(exact, -event->x, 0);
    if (carrier->reached && carrier->key <= key)
        return CSY_OK;
    struct walk_node *node = walk_start(event);
    if (!node)
        return error_memory(error);
    walk_drop(carrier->node);
    *carrier = (struct entry){key, -event->x, 0, node, true};
    return CSY_OK;
}

csy_status exact_event(struct exact *exact, const struct walk_point *event, csy_error *error)
{
    struct exact_matrix *m = exact->matrix;
    csy_status status = CSY_OK;
    if (event->thread == m->nthreads)
        status = add_thread(m, event->thread, error);
    if (status)
        return status;
    size_t j = m->slot_of[event->thread];
    for (size_t a = 0; a < m->slots && !status; a++)
        status = close_walk(exact, a, j, event, error);
    return status ? status : open_walk(exact, j, event, error);
}

csy_status exact_death(struct exact *exact, uint32_t thread, csy_error *error)
{
    struct exact_matrix *m = exact->matrix;
    size_t v = m->slot_of[thread];
    csy_status status = CSY_OK;
    clear(&m->d[v * m->stride + v]); /* no walk through v twice */
    for (size_t a = 0; a < m->slots && !status; a++) {
        struct entry *first = &m->d[a * m->stride + v];
        for (size_t b = 0; b < m->slots && !status && first->reached; b++) {
            struct entry *to = &m->d[a * m->stride + b];
            status = lower_joined(to, first, &m->d[v * m->stride + b], error);
            if (!status && a == b)
                status = settle_diagonal(exact, to, error);
        }
        if (!status)
            status = lower_joined(&m->carrier[a], first, &m->carrier[v], error);
    }
    for (size_t a = 0; a < m->slots; a++) {
        clear(&m->d[a * m->stride + v]);
        clear(&m->d[v * m->stride + a]);
    }
    clear(&m->carrier[v]);
    m->ids[v] = NONE;
    m->live--;
    return status;
}

csy_status exact_finish(struct exact *exact, csy_error *error)
{
    struct exact_matrix *m = exact->matrix;
    csy_status status = CSY_OK;
    for (size_t v = 0; v < m->slots && !status; v++)
        if (m->ids[v] != NONE)
            status = exact_death(exact, m->ids[v], error);
    matrix_free(m);
    exact->matrix = NULL;
    return status;
}
