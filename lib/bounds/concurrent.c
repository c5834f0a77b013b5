/* Computes the bounds between threads that are live at the same time.
 *
 * Eliminations are read from the last to the first. A matrix has the bounds wbar (bounds/bounds.h)
 * between the threads that are live at this position. The elimination of thread v with neighbours b
 * adds v to the matrix. If c is the vertex for the position in the buffer (the carrier of
 * graph/sweep.h), the bounds between v and each live thread x are
 *
 *   wbar(v,x) = min(min over b of D[v][b] + wbar(b,x), C[v] + wbar(c,x))
 *   wbar(x,v) = min over b of wbar(x,b) + D[b][v]
 *
 * D, C, and H are the numbers stored in the elimination (graph/eliminations.h). Afterwards
 * wbar(c,x) is lowered to H[b] + wbar(b,x). */
#include "bounds/concurrent.h"

#include "base/array.h"
#include "base/error.h"
#include "base/slots.h"

#include <stdlib.h>

enum { LANES = 8, ALIGNMENT = 64 };

/* The matrix of bounds between live threads. A live thread has a slot: the number of its row and of
 * its column. Entries of free slots are WALK_INF. */
struct live_walks {
    const struct eliminations *graph;
    struct concurrent *out;
    struct elimination_uses uses;
    struct slots slots;
    size_t stride;
    /* out_of[a * stride + b] is the bound from the thread in slot a to the thread in slot b. into[a
     * * stride + b] is the bound in the other direction. */
    int64_t *out_of, *into;
    int64_t *carrier;
    bool fits;
};

static void set_row(int64_t *row, size_t n, int64_t value)
{
    for (size_t i = 0; i < n; i++)
        row[i] = value;
}

static void relax(struct live_walks *m, int64_t *to, const int64_t *through, int64_t edge)
{
    if (edge < WALK_FAR && !minplus_row(to, through, edge, m->stride))
        m->fits = false;
}

static int64_t *new_rows(const struct live_walks *m, size_t rows)
{
    int64_t *cells = aligned_alloc(ALIGNMENT, rows * m->stride * sizeof *cells);
    if (cells)
        set_row(cells, rows * m->stride, WALK_INF);
    return cells;
}

static csy_status gather_from_eliminations(const struct eliminations *graph,
                                           const struct progress *progress, struct concurrent *out,
                                           csy_error *error)
{
    struct live_walks m = {.graph = graph, .out = out, .fits = true};
    csy_status status = elimination_uses_init(&m.uses, graph, error);
    if (status)
        return status;
    m.stride = (m.uses.most + LANES - 1) / LANES * LANES;
    m.out_of = new_rows(&m, m.uses.most);
    m.into = new_rows(&m, m.uses.most);
    m.carrier = new_rows(&m, 1);
    if (!m.out_of || !m.into || !m.carrier)
        status = error_memory(error);
    for (size_t k = graph->count; k-- > 0 && !status && m.fits;) {
        const struct elimination *d = &graph->items[k];
        size_t v;
        if (!slots_take(&m.slots, d->thread, &v)) {
            status = error_memory(error);
            break;
        }
        int64_t *out_of = m.out_of + v * m.stride, *into = m.into + v * m.stride;
        for (uint32_t i = 0; i + 1 < d->live; i++) {
            size_t b = m.slots.slot_of[d->ids[i]];
            relax(&m, out_of, m.out_of + b * m.stride, d->row[i]);
            relax(&m, into, m.into + b * m.stride, d->column[i]);
            walk_lower(&m.carrier[v], walk_add(m.carrier[b], d->column[i]));
        }
        if (d->carrier)
            relax(&m, out_of, m.carrier, d->carrier[0]);
        out_of[v] = into[v] = 0;
        for (size_t x = 0; x < m.slots.used; x++) {
            m.out_of[x * m.stride + v] = into[x];
            m.into[x * m.stride + v] = out_of[x];
        }
        for (uint32_t i = 0; d->carrier && i < d->live; i++)
            relax(&m, m.carrier, m.out_of + m.slots.slot_of[d->ids[i]] * m.stride,
                  d->carrier[1 + i]);
        for (uint32_t i = 0; i + 1 < d->live; i++) {
            uint32_t other = d->ids[i], place = m.slots.slot_of[other];
            bool first = d->thread < other;
            size_t s = first ? d->thread : other, t = first ? other : d->thread;
            if (t - s > concurrent_count(m.out, s))
                continue;
            m.out->walks[m.out->first[s] + t - s - 1] =
                first ? (struct walks_between){out_of[place], into[place]}
                      : (struct walks_between){into[place], out_of[place]};
        }
        for (uint32_t i = 0; i < d->live; i++) {
            size_t slot = m.slots.slot_of[d->ids[i]];
            if (m.uses.first[d->ids[i]] != k)
                continue;
            for (size_t a = 0; a < m.slots.used; a++)
                m.out_of[a * m.stride + slot] = m.into[a * m.stride + slot] = WALK_INF;
            set_row(m.out_of + slot * m.stride, m.stride, WALK_INF);
            set_row(m.into + slot * m.stride, m.stride, WALK_INF);
            m.carrier[slot] = WALK_INF;
            slots_give_back(&m.slots, slot);
        }
        progress_tell(progress, "pairing", CSY_UNIT_THREADS, graph->count - k, graph->count);
    }
    if (!status && !m.fits)
        status = walk_range_error(error);
    elimination_uses_fini(&m.uses);
    slots_fini(&m.slots);
    FREE_ALL(m.out_of, m.into, m.carrier);
    return status;
}

void concurrent_fini(struct concurrent *together)
{
    FREE_ALL(together->walks, together->first);
    *together = (struct concurrent){0};
}

csy_status concurrent_gather(const struct bounds *b, const struct pair_tally_thread *threads,
                             struct concurrent *out, csy_error *error)
{
    /* Threads are sorted by their first records. So the threads after s that are live together with
     * s follow it directly. */
    size_t n = b->n;
    uint64_t *first = malloc((n + 1) * sizeof *first), pairs = 0;
    for (size_t s = 0; first && s < n; s++) {
        size_t low = s + 1, high = n;
        BISECT(low, high, middle, pair_tally_live_together(&threads[s], &threads[middle]));
        first[s] = pairs;
        pairs += low - s - 1;
    }
    if (first)
        first[n] = pairs;
    struct concurrent together = {.first = first};
    csy_status status = together.first ? CSY_OK : error_memory(error);
    if (!status && b->dense.closure) {
        together.dense = &b->dense;
    } else if (!status) {
        together.walks =
            pairs < SIZE_MAX ? calloc((size_t)pairs + 1, sizeof *together.walks) : NULL;
        if (!together.walks)
            status = error_memory(error);
        else if (pairs > 0)
            status = gather_from_eliminations(&b->sweep, b->progress, &together, error);
    }
    if (status)
        concurrent_fini(&together);
    else
        *out = together;
    return status;
}

struct walks_between concurrent_walks(const struct concurrent *together, size_t s, size_t t)
{
    const struct dense *dense = together->dense;
    if (dense)
        return (struct walks_between){dense_bound(dense, s, t), dense_bound(dense, t, s)};
    return together->walks[together->first[s] + t - s - 1];
}
