/*
 * Bounds of the pairs of threads that are live together.
 *
 * The deaths are read backwards, keeping wbar between those who are live.  At the death of v among
 * b,
 *   wbar(v,x) = min(min over b of D[v][b] + wbar(b,x), C[v] + wbar(c,x))
 *   wbar(x,v) = min over b of wbar(x,b) + D[b][v]
 * for all live x, the carrier c of later records too; then wbar(c,x) falls to H[b] + wbar(b,x).
 */
#include "graph/together.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

enum { LANES = 8, ALIGNMENT = 64 };

/* Rows have an entry a slot; those of nobody are WALK_INF. */
struct meeting {
    const struct sweep_graph *graph;
    struct together *out;
    size_t slots, stride;
    int64_t *out_of, *into; /* row a: wbar(a,b), wbar(b,a) */
    int64_t *carrier;       /* wbar(c,b) */
    uint32_t *slot_of;      /* by thread */
    uint32_t *ids;          /* by slot; SWEEP_NONE: free */
    size_t *seen;           /* by slot, one more than the last death that had it among its ids */
    bool fits;
};

static void set_row(int64_t *row, size_t n, int64_t value)
{
    for (size_t i = 0; i < n; i++)
        row[i] = value;
}

static void free_slot(struct meeting *m, size_t slot)
{
    for (size_t a = 0; a < m->slots; a++)
        m->out_of[a * m->stride + slot] = m->into[a * m->stride + slot] = WALK_INF;
    set_row(m->out_of + slot * m->stride, m->stride, WALK_INF);
    set_row(m->into + slot * m->stride, m->stride, WALK_INF);
    m->carrier[slot] = WALK_INF;
    m->ids[slot] = SWEEP_NONE;
}

/* A slot for who dies at death k.  Those who are not among its ids have not begun yet. */
static size_t find_slot(struct meeting *m, size_t k)
{
    const struct death *d = &m->graph->deaths[k];
    size_t found = 0;
    for (uint32_t i = 0; i + 1 < d->live; i++)
        m->seen[m->slot_of[d->ids[i]]] = k + 1;
    for (size_t slot = 0; slot < m->slots; slot++) {
        if (m->seen[slot] == k + 1)
            continue;
        if (m->ids[slot] != SWEEP_NONE)
            free_slot(m, slot);
        found = slot;
    }
    m->ids[found] = d->thread;
    m->slot_of[d->thread] = (uint32_t)found;
    return found;
}

static void relax(struct meeting *m, int64_t *to, const int64_t *through, int64_t edge)
{
    if (edge < WALK_FAR && !minplus_row(to, through, edge, m->stride))
        m->fits = false;
}

/* The rows of v, and its entries in the rows of the others. */
static void join(struct meeting *m, const struct death *d, size_t v)
{
    int64_t *out_of = m->out_of + v * m->stride, *into = m->into + v * m->stride;
    for (uint32_t i = 0; i + 1 < d->live; i++) {
        size_t b = m->slot_of[d->ids[i]];
        relax(m, out_of, m->out_of + b * m->stride, d->row[i]);
        relax(m, into, m->into + b * m->stride, d->column[i]);
        walk_lower(&m->carrier[v], walk_add(m->carrier[b], d->column[i]));
    }
    if (d->carrier)
        relax(m, out_of, m->carrier, d->carrier[0]);
    out_of[v] = into[v] = 0;
    for (size_t x = 0; x < m->slots; x++) {
        m->out_of[x * m->stride + v] = into[x];
        m->into[x * m->stride + v] = out_of[x];
    }
}

static void lower_carrier(struct meeting *m, const struct death *d)
{
    for (uint32_t i = 0; d->carrier && i < d->live; i++)
        relax(m, m->carrier, m->out_of + m->slot_of[d->ids[i]] * m->stride, d->carrier[1 + i]);
}

/* Keep the walks between v and those that it is live together with. */
static void keep(struct meeting *m, const struct death *d, size_t v)
{
    const int64_t *out_of = m->out_of + v * m->stride, *into = m->into + v * m->stride;
    for (uint32_t i = 0; i + 1 < d->live; i++) {
        uint32_t other = d->ids[i], slot = m->slot_of[other];
        bool first = d->thread < other;
        size_t s = first ? d->thread : other, t = first ? other : d->thread;
        if (t - s > together_count(m->out, s))
            continue;
        m->out->walks[m->out->first[s] + t - s - 1] =
            first ? (struct walks_between){out_of[slot], into[slot]}
                  : (struct walks_between){into[slot], out_of[slot]};
    }
}

static int64_t *new_rows(const struct meeting *m, size_t rows)
{
    int64_t *cells = aligned_alloc(ALIGNMENT, rows * m->stride * sizeof *cells);
    if (cells)
        set_row(cells, rows * m->stride, WALK_INF);
    return cells;
}

static bool meeting_init(struct meeting *m, const struct sweep_graph *graph, struct together *out)
{
    size_t slots = graph->live_most, stride = (slots + LANES - 1) / LANES * LANES;
    *m = (struct meeting){
        .graph = graph, .out = out, .slots = slots, .stride = stride, .fits = true};
    m->out_of = new_rows(m, slots);
    m->into = new_rows(m, slots);
    m->carrier = new_rows(m, 1);
    m->slot_of = malloc(graph->nthreads * sizeof *m->slot_of);
    m->ids = malloc(slots * sizeof *m->ids);
    m->seen = calloc(slots, sizeof *m->seen);
    if (m->ids)
        memset(m->ids, 0xff, slots * sizeof *m->ids);
    return m->out_of && m->into && m->carrier && m->slot_of && m->ids && m->seen;
}

static void meeting_fini(struct meeting *m)
{
    free(m->out_of);
    free(m->into);
    free(m->carrier);
    free(m->slot_of);
    free(m->ids);
    free(m->seen);
}

static csy_status gather_from_sweep(const struct sweep_graph *graph,
                                    const struct progress *progress, struct together *out,
                                    csy_error *error)
{
    struct meeting m;
    csy_status status = meeting_init(&m, graph, out) ? CSY_OK : error_memory(error);
    for (size_t k = graph->count; k-- > 0 && !status && m.fits;) {
        const struct death *d = &graph->deaths[k];
        size_t v = find_slot(&m, k);
        join(&m, d, v);
        lower_carrier(&m, d);
        keep(&m, d, v);
        progress_tell(progress, "pairing", CSY_UNIT_THREADS, graph->count - k, graph->count);
    }
    if (!status && !m.fits)
        status = error_set(error, CSY_INPUT,
                           "the differences between clocks are too large for 64-bit arithmetic");
    meeting_fini(&m);
    return status;
}

/* first[s], from how many begin before s ends. */
static uint64_t *count_pairs(const struct tally_thread *threads, size_t n)
{
    uint64_t *first = malloc((n + 1) * sizeof *first), pairs = 0;
    for (size_t s = 0; first && s < n; s++) {
        size_t low = s + 1, high = n;
        while (low < high) {
            size_t middle = low + (high - low) / 2;
            if (tally_live_together(&threads[s], &threads[middle]))
                low = middle + 1;
            else
                high = middle;
        }
        first[s] = pairs;
        pairs += low - s - 1;
    }
    if (first)
        first[n] = pairs;
    return first;
}

void together_fini(struct together *together)
{
    free(together->walks);
    free(together->first);
    *together = (struct together){0};
}

csy_status together_gather(const struct bounds *b, const struct tally_thread *threads,
                           struct together *out, csy_error *error)
{
    struct together together = {.first = count_pairs(threads, b->n)};
    csy_status status = together.first ? CSY_OK : error_memory(error);
    if (!status && b->dense.closure) {
        together.dense = &b->dense;
    } else if (!status) {
        uint64_t pairs = together.first[b->n];
        together.walks =
            pairs < SIZE_MAX ? calloc((size_t)pairs + 1, sizeof *together.walks) : NULL;
        status = together.walks ? gather_from_sweep(&b->sweep, b->progress, &together, error)
                                : error_memory(error);
    }
    if (status)
        together_fini(&together);
    else
        *out = together;
    return status;
}

struct walks_between together_walks(const struct together *together, size_t s, size_t t)
{
    const struct dense *dense = together->dense;
    if (dense)
        return (struct walks_between){dense_bound(dense, s, t), dense_bound(dense, t, s)};
    return together->walks[together->first[s] + t - s - 1];
}
