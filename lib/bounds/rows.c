/* Computes bounds between one thread and all others. See bounds/rows.h. */
#include "bounds/rows.h"

#include "base/array.h"
#include "base/error.h"

#include <stdlib.h>

/* For functions that are compiled for each instruction set and for each number of lanes. Lanes are
 * rows that are computed together. */
#define FOR_EACH static inline __attribute__((always_inline))

/* Prevents GCC from unrolling a loop over lanes, after which GCC would not vectorize it. */
#if defined __GNUC__
#define ROLLED _Pragma("GCC unroll 1")
#else
#define ROLLED
#endif

/* Limit of finite values: a smaller value plus the lengths of two edges is below WALK_FAR. */
#define VALUE_MAX (2 * WALK_MAX)

/* after this many eliminations, the search tests again whether it can end */
enum { PATIENCE = 8 };

FOR_EACH void relax(int64_t *to, const int64_t *through, int64_t edge, size_t lanes)
{
    int64_t walks[ROWS_LANES]; /* a separate array, which no pointer aliases, stays in registers */
    if (edge >= WALK_FAR)
        return;
    ROLLED
    for (size_t i = 0; i < lanes; i++)
        walks[i] = through[i] + edge;
    ROLLED
    for (size_t i = 0; i < lanes; i++)
        to[i] = walks[i] < to[i] ? walks[i] : to[i];
}

/* Prepare values for further additions: make all infinite values equal to WALK_INF. Returns false
 * if a finite value exceeds VALUE_MAX. */
FOR_EACH bool settle(int64_t *values, size_t lanes)
{
    int64_t least = 0, most = 0;
    ROLLED
    for (size_t i = 0; i < lanes; i++) {
        int64_t value = values[i], finite = value >= WALK_FAR ? 0 : value;
        least = finite < least ? finite : least;
        most = finite > most ? finite : most;
        values[i] = value >= WALK_FAR ? WALK_INF : value;
    }
    return least > -VALUE_MAX && most < VALUE_MAX;
}

FOR_EACH bool is_reached(const int64_t *values, size_t lanes)
{
    int64_t least = WALK_INF;
    ROLLED
    for (size_t i = 0; i < lanes; i++)
        least = values[i] < least ? values[i] : least;
    return least < WALK_FAR;
}

FOR_EACH bool hand_on(const struct elimination *d, const int64_t *edges, int64_t *values,
                      size_t lanes)
{
    int64_t *own = values + d->thread * lanes;
    bool fits = settle(own, lanes);
    if (!is_reached(own, lanes))
        return fits;
    for (uint32_t i = 0; i + 1 < d->live; i++)
        relax(values + d->ids[i] * lanes, own, edges[i], lanes);
    return fits;
}

FOR_EACH bool hand_back(const struct elimination *d, const int64_t *edges, int64_t *values,
                        size_t lanes)
{
    int64_t *own = values + d->thread * lanes, best[ROWS_LANES];
    ROLLED
    for (size_t i = 0; i < lanes; i++)
        best[i] = own[i];
    for (uint32_t i = 0; i + 1 < d->live; i++)
        relax(best, values + d->ids[i] * lanes, edges[i], lanes);
    bool fits = settle(best, lanes);
    ROLLED
    for (size_t i = 0; i < lanes; i++)
        own[i] = best[i];
    return fits;
}

/* In a pass forwards, add paths through the carrier: a vertex for the current position in the
 * buffer (graph/sweep.h). Edges lead from the carrier to each thread of elimination d, and from
 * d->thread to the carrier. Returns false on overflow. */
FOR_EACH bool carry_from(const struct elimination *d, int64_t *carrier, int64_t *values,
                         size_t lanes)
{
    for (uint32_t i = 0; i < d->live; i++)
        relax(values + d->ids[i] * lanes, carrier, d->carrier[1 + i], lanes);
    bool fits = settle(values + d->thread * lanes, lanes);
    relax(carrier, values + d->thread * lanes, d->carrier[0], lanes);
    return settle(carrier, lanes) && fits;
}

/* Like carry_from, for paths to a thread and in a backward pass. */
FOR_EACH bool carry_to(const struct elimination *d, int64_t *carrier, int64_t *values, size_t lanes)
{
    int64_t *own = values + d->thread * lanes;
    relax(own, carrier, d->carrier[0], lanes);
    bool fits = settle(own, lanes);
    for (uint32_t i = 0; i < d->live; i++)
        relax(carrier, values + d->ids[i] * lanes, d->carrier[1 + i], lanes);
    return settle(carrier, lanes) && fits;
}

/* Reads all eliminations forwards, then backwards. `from` or `to` may be NULL. Returns false on
 * overflow. */
FOR_EACH bool search(const struct eliminations *graph, int64_t *from, int64_t *to, size_t lanes)
{
    int64_t carrier_from[ROWS_LANES], carrier_to[ROWS_LANES];
    bool fits = true;
    ROLLED
    for (size_t i = 0; i < lanes; i++)
        carrier_from[i] = carrier_to[i] = WALK_INF;
    for (size_t k = 0; k < graph->count; k++) {
        const struct elimination *d = &graph->items[k];
        if (from && d->carrier)
            fits &= carry_from(d, carrier_from, from, lanes);
        if (from)
            fits &= hand_on(d, d->row, from, lanes);
        if (to)
            fits &= hand_on(d, d->column, to, lanes);
    }
    for (size_t k = graph->count; k-- > 0;) {
        const struct elimination *d = &graph->items[k];
        if (from)
            fits &= hand_back(d, d->column, from, lanes);
        if (to)
            fits &= hand_back(d, d->row, to, lanes);
        if (to && d->carrier)
            fits &= carry_to(d, carrier_to, to, lanes);
    }
    return fits;
}

bool rows_from(const struct eliminations *graph, int64_t *values)
{
    return search(graph, values, NULL, 1);
}

bool rows_to(const struct eliminations *graph, int64_t *values)
{
    return search(graph, NULL, values, 1);
}

bool rows_around(const struct eliminations *graph, int64_t *from, int64_t *to)
{
    return search(graph, from, to, 1);
}

/* Set out[] to the length of the path through the landmark to thread t. rest[t] is the length from
 * the landmark to t. */
FOR_EACH void sum_up(const struct row_blocks *b, const int64_t *rest, uint32_t t,
                     const int64_t *values, int64_t *out)
{
    const int64_t *landmark = values + (size_t)b->landmark * ROWS_LANES;
    int64_t walks[ROWS_LANES];
    ROLLED
    for (size_t i = 0; i < ROWS_LANES; i++)
        walks[i] = landmark[i] + rest[t];
    ROLLED
    for (size_t i = 0; i < ROWS_LANES; i++)
        out[i] = walks[i] >= WALK_FAR ? WALK_INF : walks[i];
}

static bool sums_fit(const struct row_blocks *b, const int64_t *values)
{
    const int64_t *landmark = values + (size_t)b->landmark * ROWS_LANES;
    for (size_t i = 0; i < ROWS_LANES; i++)
        if (landmark[i] < WALK_FAR &&
            (landmark[i] >= VALUE_MAX - b->rest_most || landmark[i] <= b->rest_most - VALUE_MAX))
            return false;
    return true;
}

/* Returns true if, for no thread of elimination d, a path in `values` is shorter than the path
 * through the landmark. */
FOR_EACH bool landmark_serves(const struct row_blocks *b, const int64_t *rest,
                              const struct elimination *d, const int64_t *values)
{
    for (uint32_t i = 0; i < d->live; i++) {
        int64_t through[ROWS_LANES], better = 0;
        const int64_t *known = values + (size_t)d->ids[i] * ROWS_LANES;
        sum_up(b, rest, d->ids[i], values, through);
        ROLLED
        for (size_t k = 0; k < ROWS_LANES; k++)
            better |= known[k] < through[k];
        if (better)
            return false;
    }
    return sums_fit(b, values);
}

struct window {
    size_t first, last;
};

/* Read eliminations from w.first on, until all shortest paths to later threads lead through the
 * landmark. Then compute the values of these later threads. Returns the index of the elimination at
 * which the reading stopped. */
FOR_EACH size_t fill_forwards(const struct row_blocks *b, struct window w, bool to, int64_t *values,
                              bool *fits)
{
    const struct eliminations *graph = b->graph;
    const int64_t *rest = to ? b->to : b->from;
    size_t k = w.first;
    for (; k < graph->count; k++) {
        const struct elimination *d = &graph->items[k];
        if (k > w.last && (k - w.last) % PATIENCE == 0 && landmark_serves(b, rest, d, values))
            break;
        *fits &= hand_on(d, to ? d->column : d->row, values, ROWS_LANES);
    }
    *fits &= settle(values + (size_t)b->landmark * ROWS_LANES, ROWS_LANES);
    for (size_t j = k; j < graph->count; j++) {
        uint32_t t = graph->items[j].thread;
        sum_up(b, rest, t, values, values + (size_t)t * ROWS_LANES);
    }
    return k;
}

FOR_EACH bool fill_backwards(const struct row_blocks *b, size_t k, struct window w, bool to,
                             int64_t *values)
{
    const struct eliminations *graph = b->graph;
    const int64_t *rest = to ? b->to : b->from;
    bool fits = true, serves = false;
    while (k > 0 && !serves) {
        const struct elimination *d = &graph->items[--k];
        fits &= hand_back(d, to ? d->row : d->column, values, ROWS_LANES);
        serves =
            k < w.first && (w.first - k) % PATIENCE == 0 && landmark_serves(b, rest, d, values);
    }
    while (k-- > 0) {
        uint32_t t = graph->items[k].thread;
        sum_up(b, rest, t, values, values + (size_t)t * ROWS_LANES);
    }
    return fits;
}

/* Compute the rows (`to` is false) or columns (`to` is true) of ROWS_LANES threads, as
 * bounds/rows.h explains. Returns false on overflow. */
FOR_EACH bool fill(const struct row_blocks *b, uint32_t first, bool to, int64_t *values)
{
    size_t n = b->graph->count, end = n - first < ROWS_LANES ? n : first + ROWS_LANES;
    bool fits = true;
    for (size_t i = 0; i < n * ROWS_LANES; i++)
        values[i] = WALK_INF;
    for (size_t t = first; t < end; t++)
        values[t * ROWS_LANES + (t - first)] = 0;
    if (!b->from)
        return search(b->graph, to ? NULL : values, to ? values : NULL, ROWS_LANES);
    struct window w = {SIZE_MAX, 0};
    for (size_t t = first; t < end; t++) {
        if (t == b->landmark && end - first > 1)
            continue;
        w.first = b->elimination[t] < w.first ? b->elimination[t] : w.first;
        w.last = b->elimination[t] > w.last ? b->elimination[t] : w.last;
    }
    size_t k = fill_forwards(b, w, to, values, &fits);
    return fill_backwards(b, k, w, to, values) && fits;
}

typedef bool row_filler(const struct row_blocks *b, uint32_t first, bool to, int64_t *values);

static bool fill_portable(const struct row_blocks *b, uint32_t first, bool to, int64_t *values)
{
    return to ? fill(b, first, true, values) : fill(b, first, false, values);
}

#if defined __x86_64__
__attribute__((target("avx2"))) static bool fill_avx2(const struct row_blocks *b, uint32_t first,
                                                      bool to, int64_t *values)
{
    return to ? fill(b, first, true, values) : fill(b, first, false, values);
}

__attribute__((target("avx512f"))) static bool fill_avx512(const struct row_blocks *b,
                                                           uint32_t first, bool to, int64_t *values)
{
    return to ? fill(b, first, true, values) : fill(b, first, false, values);
}

static row_filler *choose_filler(void)
{
    return __builtin_cpu_supports("avx512f") ? fill_avx512
           : __builtin_cpu_supports("avx2")  ? fill_avx2
                                             : fill_portable;
}
#else
static row_filler *choose_filler(void)
{
    return fill_portable;
}
#endif

/* An infinite length. Its sum with a finite length is infinite, too, and does not overflow. */
#define NO_REST (WALK_FAR + VALUE_MAX)

static int64_t *hub_walks(struct row_blocks *b, bool to, bool *fits)
{
    size_t n = b->graph->count;
    int64_t *walks = malloc(n * sizeof *walks);
    if (!walks)
        return NULL;
    for (size_t t = 0; t < n; t++)
        walks[t] = t == b->landmark ? 0 : WALK_INF;
    *fits &= to ? rows_to(b->graph, walks) : rows_from(b->graph, walks);
    for (size_t t = 0; t < n; t++) {
        bool far = walks[t] >= WALK_FAR;
        int64_t size = far ? 0 : walks[t] < 0 ? -walks[t] : walks[t];
        b->rest_most = size > b->rest_most ? size : b->rest_most;
        walks[t] = far ? NO_REST : walks[t];
    }
    return walks;
}

csy_status row_blocks_init(struct row_blocks *b, const struct eliminations *graph, bool *fits,
                           csy_error *error)
{
    size_t n = graph->count;
    *fits = true;
    *b = (struct row_blocks){.graph = graph, .fill = choose_filler()};
    if (n == 0 || graph->has_carrier || graph->any_order)
        return CSY_OK;
    b->landmark = graph->items[n - 1].thread;
    b->elimination = malloc(n * sizeof *b->elimination);
    b->from = hub_walks(b, false, fits);
    b->to = hub_walks(b, true, fits);
    if (!b->elimination || !b->from || !b->to) {
        row_blocks_fini(b);
        return error_memory(error);
    }
    for (size_t k = 0; k < n; k++)
        b->elimination[graph->items[k].thread] = k;
    return CSY_OK;
}

void row_blocks_fini(struct row_blocks *b)
{
    FREE_ALL(b->elimination, b->from, b->to);
    *b = (struct row_blocks){0};
}

bool row_blocks_from(const struct row_blocks *b, uint32_t first, int64_t *values)
{
    return b->fill(b, first, false, values);
}

bool row_blocks_to(const struct row_blocks *b, uint32_t first, int64_t *values)
{
    return b->fill(b, first, true, values);
}
