/* Adds up the error bounds of all pairs of threads, and finds the greatest, with the formulas of
 * bounds/pair_stats.h. Each elimination (graph/eliminations.h) removes one thread from the graph of
 * constraints. One pass visits the eliminations backwards: the thread removed last comes first. The
 * state of the pass is a struct pair_walk.
 *
 * To use several workers, a pass may begin in the middle. It must then guess the state that a pass
 * from the last elimination would have there. To get this guess, the pass begins some eliminations
 * early, with all savings 0. Old savings become 0 after a while, so both states usually agree. When
 * the pass over the later eliminations arrives there, its state is compared with the guess:
 *
 *    elimination 0 ........................ begin - - - - early ............................ count
 *                <---- pass 1 ----------- |<- warm-up - |
 *                                         |<---------------- pass 0 -----------------------
 *                                         | same state? */
#include "bounds/pair_stats.h"

#include "base/array.h"
#include "base/error.h"
#include "base/slots.h"
#include "base/team.h"

#include <stdlib.h>
#include <string.h>

/* The saving of a pair of threads is how much lower its bound wbar (bounds/bounds.h) is than the
 * sum of the bounds from v to one chosen thread, the component's landmark, and from there to x:
 *
 *   saving(v,x) = to[v] + from[x] - wbar(v,x) >= 0,
 *   to[v] = wbar(v,landmark), from[x] = wbar(landmark,x)
 *
 * Savings are a dense matrix. Each live thread has two rows, for paths out of it and into it. A
 * column stands for a thread x, and at least one row has a saving there. The row of a new thread v
 * follows from the rows of its neighbours b:
 *
 *   saving(v,x) = max(0, max over b of saving(b,x) - cost(v,b))
 *
 * where cost(v,b) >= 0 is the detour of going through b on the way from v to the landmark. A column
 * of zeros therefore stays zero and is dropped. */

struct saving_column {
    uint32_t thread;
    uint32_t component;
    int64_t radius; /* to[thread] + from[thread] of struct pair_plan */
    bool spe;
    bool idle;
};

struct saving_source {
    size_t row;
    int64_t cost;
};

struct pair_savings {
    size_t nrows, stride, bytes_max;
    int64_t *cells; /* row i begins at index i * stride; its cells from ncolumns on are 0 */
    int64_t *most;  /* for each row: a number that no cell exceeds */
    struct saving_column *columns;
    int64_t *radii;
    uint32_t *order; /* scratch memory of forget_columns: one entry for each column */
    size_t ncolumns;
    bool uniform;
    size_t ripe; /* columns of zeros are dropped when there are this many columns */
    const struct savings_loops *loops;
};

static inline void pair_savings_set(struct pair_savings *s, size_t row, int64_t saving)
{
    s->cells[row * s->stride + s->ncolumns - 1] = saving;
    s->most[row] = saving > s->most[row] ? saving : s->most[row];
}

static inline const int64_t *pair_savings_row(const struct pair_savings *s, size_t row)
{
    return s->cells + row * s->stride;
}

/* Data that workers share, because no pass changes it. Only own_to and own_from may change, and
 * only if there is a single worker. */
struct pair_plan {
    const struct progress *progress; /* function that receives reports of progress; may be NULL */
    const struct eliminations *graph;
    const struct pair_tally_thread *threads;
    size_t savings_bytes_max;
    uint64_t savings_steps_max;
    /* Columns of zeros are dropped before eliminations 0, `chunk`, 2 `chunk`, and so on. So passes
     * that began at different places have the same columns there. */
    size_t chunk;
    uint32_t *component; /* for each thread: number of its connected component */
    uint32_t *landmarks;
    size_t ncomponents, landmarks_capacity;
    uint32_t *previous; /* for each thread t: the thread with pair_tally_thread.next == t, or
                         * NO_THREAD */
    struct elimination_uses uses;
    const int64_t *to, *from; /* to[t] and from[t] as bounds/pair_stats.h defines them */
    /* memory of `to` and `from`; NULL if they point to the arrays of the caller */
    int64_t *own_to, *own_from;
};

/* Sums over the visited threads of a component: [1] for threads of SPEs, [0] for other threads */
struct pair_component {
    uint64_t n[2];
    int128 sum[2];
    int64_t most[2]; /* greatest radius (see bounds/pair_stats.h) of a visited thread that has no
                      * column; -1: none */
};

struct pair_wanted {
    uint32_t component, first; /* first: after the visit of the elimination with this index, no
                                * other elimination needs the savings of this thread */
    int64_t to, from;
};

/* The vertex that graph/sweep.h adds to the graph for the buffer position that the pass has
 * reached. `walk` is the bound from this vertex to the landmark of `component`. */
struct pair_carrier {
    uint32_t component;
    int64_t walk;
};

/* A copy of the state of a pass, used to find out whether another pass arrived at the same state */
struct pair_state {
    struct pair_component component;
    size_t nthreads, ncolumns;
    uint32_t *threads, *columns;
    int64_t *cells;
};

struct pair_walk {
    const struct pair_plan *plan;
    size_t next; /* index of the elimination that was visited last; the pass goes backwards */
    struct pair_component *components;
    uint32_t *column; /* for each thread: index of its column in `savings`; NO_COLUMN if it has
                       * none; NOT_MET before its visit */
    /* Row 2 i has the savings of paths that begin at the thread in slot i. Row 2 i + 1 has the
     * savings of paths that end there. The last row belongs to `carrier`. */
    struct pair_savings savings;
    struct slots slots;
    struct pair_wanted *wanted;
    struct saving_source *out, *into; /* scratch memory */
    struct pair_carrier carrier;
    struct tallies tallies;
    uint128 work;
    uint64_t steps;
};

/* BLOCK: number of cells that are computed together. RIPENESS: if n columns remain after columns of
 * zeros were dropped, the next attempt follows at n + n / RIPENESS + BLOCK columns. */
enum { BLOCK = 8, RIPENESS = 4, FIRST_STRIDE = 64, ALIGNMENT = 64 };

/* The sum of 2 * SMALL_COLUMNS savings, each below SMALL_SAVING, fits in 64 bits. */
#define SMALL_COLUMNS ((size_t)1 << 20)
#define SMALL_SAVING ((int64_t)1 << 40)

/* Value in `radii` after the last column. It is so low that it never becomes the maximum. */
#define NO_RADIUS (-((int64_t)1 << 62))

/* Prevents GCC from unrolling a loop, after which GCC would not vectorize it. */
#if defined __GNUC__
#define ROLLED _Pragma("GCC unroll 1")
#else
#define ROLLED
#endif

#define INLINE static inline __attribute__((always_inline))

static int64_t *aligned(size_t n)
{
    return aligned_alloc(ALIGNMENT, n * sizeof(int64_t)); /* n is a multiple of BLOCK */
}

static bool widen(struct pair_savings *s)
{
    size_t stride = s->stride ? 2 * s->stride : FIRST_STRIDE;
    if (stride > s->bytes_max / sizeof *s->cells / s->nrows)
        return false;
    struct saving_column *columns = realloc(s->columns, stride * sizeof *columns);
    if (columns)
        s->columns = columns;
    uint32_t *order = realloc(s->order, stride * sizeof *order);
    if (order)
        s->order = order;
    if (!columns || !order)
        return false;
    int64_t *cells = aligned(s->nrows * stride), *radii = aligned(stride);
    if (!cells || !radii) {
        FREE_ALL(cells, radii);
        return false;
    }
    memset(cells, 0, s->nrows * stride * sizeof *cells);
    for (size_t i = 0; i < s->nrows && s->ncolumns; i++)
        memcpy(cells + i * stride, pair_savings_row(s, i), s->ncolumns * sizeof *cells);
    for (size_t x = 0; x < stride; x++)
        radii[x] = x < s->ncolumns ? s->radii[x] : NO_RADIUS;
    FREE_ALL(s->cells, s->radii);
    s->cells = cells;
    s->radii = radii;
    s->stride = stride;
    return true;
}

static bool is_like(const struct saving_column *a, const struct saving_column *b)
{
    return a->component == b->component && a->spe == b->spe;
}

static void pair_savings_clear(struct pair_savings *s, size_t row)
{
    if (s->most[row] > 0)
        memset(s->cells + row * s->stride, 0, s->ncolumns * sizeof *s->cells);
    s->most[row] = 0;
}

/* Functions that are compiled once for each instruction set. */
struct savings_loops {
    int64_t (*fill)(const struct pair_savings *s, int64_t *to, const struct saving_source *sources,
                    size_t n);
    int64_t (*total)(const struct pair_savings *s, const int64_t *out, const int64_t *into,
                     int64_t *most);
};

/* Compilers do not vectorize the loop over cells by themselves. */
typedef int64_t block_lanes __attribute__((vector_size(sizeof(int64_t) * BLOCK)));

/* Set each to[x] to the maximum of 0 and, for each source, the cell x of its row minus its cost.
 * Returns the greatest value in `to`. */
INLINE int64_t fill(const struct pair_savings *s, int64_t *to, const struct saving_source *sources,
                    size_t n)
{
    block_lanes most = {0};
    int64_t greatest = 0;
    for (size_t x = 0; x < s->ncolumns; x += BLOCK) {
        block_lanes best = {0};
        for (size_t i = 0; i < n; i++) {
            block_lanes saving;
            memcpy(&saving, pair_savings_row(s, sources[i].row) + x, sizeof saving);
            saving -= sources[i].cost;
            block_lanes above = (block_lanes)(saving > best);
            best = (saving & above) | (best & ~above);
        }
        memcpy(to + x, &best, sizeof best);
        block_lanes above = (block_lanes)(best > most);
        most = (best & above) | (most & ~above);
    }
    for (size_t k = 0; k < BLOCK; k++)
        greatest = most[k] > greatest ? most[k] : greatest;
    return greatest;
}

/* Returns the sum of all out[x] and into[x], which must fit in 64 bits. *most becomes the greatest
 * radii[x] - out[x] - into[x]. */
INLINE int64_t total(const struct pair_savings *s, const int64_t *out, const int64_t *into,
                     int64_t *most)
{
    int64_t sums[BLOCK] = {0}, bounds[BLOCK], sum = 0;
    ROLLED
    for (size_t k = 0; k < BLOCK; k++)
        bounds[k] = NO_RADIUS;
    for (size_t x = 0; x < s->ncolumns; x += BLOCK) {
        ROLLED
        for (size_t k = 0; k < BLOCK; k++) {
            int64_t saving = out[x + k] + into[x + k], bound = s->radii[x + k] - saving;
            sums[k] += saving;
            bounds[k] = bound > bounds[k] ? bound : bounds[k];
        }
    }
    *most = NO_RADIUS;
    for (size_t k = 0; k < BLOCK; k++) {
        sum += sums[k];
        *most = bounds[k] > *most ? bounds[k] : *most;
    }
    return sum;
}

/* target is an attribute: NOLINTBEGIN(bugprone-macro-parentheses) */
#define LOOPS(name, target)                                                                        \
    target static int64_t fill_##name(const struct pair_savings *s, int64_t *to,                   \
                                      const struct saving_source *sources, size_t n)               \
    {                                                                                              \
        return fill(s, to, sources, n);                                                            \
    }                                                                                              \
    target static int64_t total_##name(const struct pair_savings *s, const int64_t *out,           \
                                       const int64_t *into, int64_t *most)                         \
    {                                                                                              \
        return total(s, out, into, most);                                                          \
    }                                                                                              \
    static const struct savings_loops loops_##name = {fill_##name, total_##name};
/* NOLINTEND(bugprone-macro-parentheses) */

LOOPS(portable, )
#if defined(__x86_64__)
LOOPS(avx2, __attribute__((target("avx2"))))
LOOPS(avx512, __attribute__((target("avx512f"))))
#endif

static const struct savings_loops *choose_loops(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f"))
        return &loops_avx512;
    if (__builtin_cpu_supports("avx2"))
        return &loops_avx2;
#endif
    return &loops_portable;
}

static void pair_savings_fill(struct pair_savings *s, size_t row,
                              const struct saving_source *sources, size_t n)
{
    if (n == 0)
        pair_savings_clear(s, row);
    else
        s->most[row] = s->loops->fill(s, s->cells + row * s->stride, sources, n);
}

#define NOT_MET UINT32_MAX
/* Component number of a hub. A hub is a vertex of the graph that is not a thread. */
#define OF_A_HUB UINT32_MAX
#define NO_COLUMN (UINT32_MAX - 1)

/* Greatest value of to[t] and from[t] (bounds/pair_stats.h): the sum of two fits in 64 bits. */
#define LANDMARK_MAX ((int64_t)1 << 60)

static size_t row_out(size_t slot)
{
    return 2 * slot;
}

static size_t row_into(size_t slot)
{
    return 2 * slot + 1;
}

static size_t row_carrier(const struct pair_walk *w)
{
    return w->savings.nrows - 1;
}

static const struct pair_wanted *wanted_of(const struct pair_walk *w, uint32_t thread)
{
    return &w->wanted[w->slots.slot_of[thread]];
}

static int64_t radius(const struct pair_wanted *v)
{
    return v->to + v->from;
}

static bool has_carrier(const struct pair_walk *w, const struct elimination *d, uint32_t component)
{
    return d->carrier && w->carrier.component == component && w->carrier.walk < WALK_FAR;
}

static bool is_in_range(int64_t walk)
{
    return walk >= -LANDMARK_MAX && walk <= LANDMARK_MAX;
}

static csy_status want(struct pair_walk *w, uint32_t thread, size_t *slot, csy_error *error)
{
    const struct pair_plan *plan = w->plan;
    if (!is_in_range(plan->to[thread]) || !is_in_range(plan->from[thread]))
        return walk_range_error(error);
    if (!slots_take(&w->slots, thread, slot))
        return error_memory(error);
    w->wanted[*slot] = (struct pair_wanted){plan->component[thread], plan->uses.first[thread],
                                            plan->to[thread], plan->from[thread]};
    return CSY_OK;
}

static void fill_rows(struct pair_walk *w, const struct elimination *d, size_t slot)
{
    const struct pair_wanted *v = &w->wanted[slot];
    const int64_t *most = w->savings.most;
    size_t nout = 0, ninto = 0;
    for (uint32_t i = 0; i + 1 < d->live; i++) {
        size_t other = w->slots.slot_of[d->ids[i]];
        const struct pair_wanted *b = &w->wanted[other];
        int64_t out_cost = d->row[i] + b->to - v->to;
        int64_t into_cost = d->column[i] + b->from - v->from;
        bool near = b->component == v->component;
        w->out[nout] = (struct saving_source){row_out(other), out_cost};
        w->into[ninto] = (struct saving_source){row_into(other), into_cost};
        nout += (d->row[i] < WALK_FAR) & near & (out_cost < most[row_out(other)]);
        ninto += (d->column[i] < WALK_FAR) & near & (into_cost < most[row_into(other)]);
    }
    if (has_carrier(w, d, v->component)) {
        int64_t cost = d->carrier[0] + w->carrier.walk - v->to;
        w->out[nout] = (struct saving_source){row_carrier(w), cost};
        nout += cost < most[row_carrier(w)];
    }
    pair_savings_fill(&w->savings, row_out(slot), w->out, nout);
    pair_savings_fill(&w->savings, row_into(slot), w->into, ninto);
    w->steps += (uint64_t)(nout + ninto) * w->savings.ncolumns;
}

static void take_all(struct pair_walk *w, size_t slot, bool spe)
{
    const struct pair_wanted *v = &w->wanted[slot];
    const struct pair_component *component = &w->components[v->component];
    const struct pair_savings *s = &w->savings;
    const int64_t *out = pair_savings_row(s, row_out(slot));
    const int64_t *into = pair_savings_row(s, row_into(slot));
    int64_t r = radius(v), greatest;
    int128 saved[2] = {0, 0};
    int64_t greatest_of[2] = {-1, -1};
    bool small = s->uniform && s->ncolumns < SMALL_COLUMNS &&
                 s->most[row_out(slot)] < SMALL_SAVING && s->most[row_into(slot)] < SMALL_SAVING;
    for (size_t x = 0; x < s->ncolumns && !small; x++) {
        const struct saving_column *column = &s->columns[x];
        if (column->component != v->component)
            continue;
        int64_t saving = out[x] + into[x], bound = r + column->radius - saving;
        saved[column->spe] += saving;
        if (bound > greatest_of[column->spe])
            greatest_of[column->spe] = bound;
    }
    if (s->ncolumns > 0 && small && s->columns[0].component == v->component) {
        saved[s->columns[0].spe] = s->loops->total(s, out, into, &greatest);
        greatest_of[s->columns[0].spe] = r + greatest;
    }
    for (int kind = 0; kind < 2; kind++) {
        struct pair_tally *tally = kind && spe ? &w->tallies.spe : &w->tallies.other;
        int64_t most = greatest_of[kind];
        int64_t others = component->most[kind] < 0 ? -1 : r + component->most[kind];
        tally->pairs += component->n[kind];
        tally->bounded += component->n[kind];
        tally->sum_ticks += (int128)component->n[kind] * r + component->sum[kind] - saved[kind];
        most = others > most ? others : most;
        tally->most_ticks = most > tally->most_ticks ? most : tally->most_ticks;
    }
}

static int64_t error_bound(const struct pair_walk *w, size_t slot, uint32_t x)
{
    const struct pair_plan *plan = w->plan;
    const struct pair_wanted *v = &w->wanted[slot];
    if (v->component != plan->component[x])
        return -1;
    int64_t bound = radius(v) + plan->to[x] + plan->from[x];
    if (w->column[x] != NO_COLUMN)
        bound -= pair_savings_row(&w->savings, row_out(slot))[w->column[x]] +
                 pair_savings_row(&w->savings, row_into(slot))[w->column[x]];
    return bound;
}

static void forget_column(struct pair_walk *w, const struct saving_column *column)
{
    w->column[column->thread] = NO_COLUMN;
    if (column->component == OF_A_HUB)
        return;
    int64_t *most = &w->components[column->component].most[column->spe];
    *most = column->radius > *most ? column->radius : *most;
}

static void forget_columns(struct pair_walk *w)
{
    struct pair_savings *savings = &w->savings;
    for (size_t x = 0; x < savings->ncolumns; x += BLOCK) {
        int64_t any[BLOCK] = {0};
        for (size_t i = 0; i < savings->nrows; i++) {
            const int64_t *cells = pair_savings_row(savings, i) + x;
            if (savings->most[i] == 0)
                continue;
            for (size_t k = 0; k < BLOCK; k++)
                any[k] |= cells[k];
        }
        for (size_t k = 0; k < BLOCK && x + k < savings->ncolumns; k++)
            savings->columns[x + k].idle = any[k] == 0;
    }
    for (size_t x = 0; x < savings->ncolumns; x++) {
        struct saving_column *column = &savings->columns[x];
        if (column->component == OF_A_HUB && slots_find(&w->slots, column->thread) == SLOTS_NONE)
            column->idle = true;
        if (column->idle)
            forget_column(w, column);
    }
    size_t first = 0, nkept;
    while (first < savings->ncolumns && !savings->columns[first].idle)
        first++;
    nkept = first;
    for (size_t x = first; x < savings->ncolumns; x++)
        if (!savings->columns[x].idle)
            savings->order[nkept++] = (uint32_t)x;
    for (size_t i = 0; i < savings->nrows; i++) {
        int64_t *cells = savings->cells + i * savings->stride;
        if (savings->most[i] == 0)
            continue;
        for (size_t x = first; x < nkept; x++)
            cells[x] = cells[savings->order[x]];
        memset(cells + nkept, 0, (savings->ncolumns - nkept) * sizeof *cells);
    }
    for (size_t x = first; x < nkept; x++)
        savings->columns[x] = savings->columns[savings->order[x]];
    for (size_t x = first; x < savings->ncolumns; x++)
        savings->radii[x] = x < nkept ? savings->columns[x].radius : NO_RADIUS;
    savings->ncolumns = nkept;
    savings->uniform = true;
    for (size_t x = 1; x < nkept; x++)
        savings->uniform = savings->uniform && is_like(&savings->columns[x], &savings->columns[0]);
    savings->ripe = nkept + nkept / RIPENESS + BLOCK;
    for (size_t x = 0; x < savings->ncolumns; x++)
        w->column[savings->columns[x].thread] = (uint32_t)x;
}

/* Returns true if the matrix would probably exceed bytes_max later, so that the pass can give up
 * early. The estimate assumes that the number of columns keeps growing as it did so far. */
static bool outgrows(const struct pair_walk *w)
{
    enum { PART = 64, KEPT = 8 };
    const struct pair_savings *savings = &w->savings;
    size_t count = w->plan->graph->count, met = count - w->next, columns = savings->ncolumns;
    if (w->plan->savings_steps_max == UINT64_MAX || columns < savings->stride ||
        met < count / PART || columns < met - met / KEPT)
        return false;
    uint128 cells = (uint128)columns * count / met * savings->nrows;
    return cells * sizeof *savings->cells > savings->bytes_max;
}

static csy_status add_column(struct pair_walk *w, const struct elimination *d, size_t slot,
                             csy_error *error)
{
    const struct pair_wanted *v = &w->wanted[slot];
    struct pair_component *component = &w->components[v->component];
    bool spe = w->plan->threads[d->thread].spe, hub = w->plan->threads[d->thread].hub;
    int64_t r = radius(v);
    const struct saving_column column = {d->thread, hub ? OF_A_HUB : v->component, r, spe, false};
    component->n[spe] += !hub;
    component->sum[spe] += hub ? 0 : r;
    if (r == 0) {
        forget_column(w, &column);
        return CSY_OK;
    }
    struct pair_savings *s = &w->savings;
    if (outgrows(w) || (s->ncolumns == s->stride && !widen(s)))
        return error_memory(error);
    s->uniform = s->ncolumns == 0 || (s->uniform && is_like(&column, &s->columns[0]));
    s->radii[s->ncolumns] = r;
    s->columns[s->ncolumns++] = column;
    const int64_t *out = pair_savings_row(s, row_out(slot));
    const int64_t *into = pair_savings_row(s, row_into(slot));
    const int64_t *carrier = pair_savings_row(s, row_carrier(w));
    w->column[d->thread] = (uint32_t)(s->ncolumns - 1);
    pair_savings_set(s, row_out(slot), r);
    pair_savings_set(s, row_into(slot), r);
    for (size_t other = 0; other < w->slots.used; other++) {
        if (slots_is_free(&w->slots, other) || other == slot ||
            w->wanted[other].component != v->component)
            continue;
        uint32_t filled = w->column[w->slots.ids[other]];
        if (filled == NO_COLUMN)
            continue;
        pair_savings_set(s, row_out(other), into[filled]);
        pair_savings_set(s, row_into(other), out[filled]);
    }
    int64_t most = 0;
    for (uint32_t i = 0; i + 1 < d->live && has_carrier(w, d, v->component); i++) {
        const struct pair_wanted *b = wanted_of(w, d->ids[i]);
        uint32_t filled = w->column[d->ids[i]];
        if (b->component != v->component || filled == NO_COLUMN || d->column[i] >= WALK_FAR)
            continue;
        int64_t saving = carrier[filled] - (d->column[i] + b->from - v->from);
        most = saving > most ? saving : most;
    }
    pair_savings_set(s, row_carrier(w), most);
    if (s->ncolumns >= s->ripe)
        forget_columns(w);
    return CSY_OK;
}

static void pass_carrier(struct pair_walk *w, const struct elimination *d)
{
    for (uint32_t i = 0; i < d->live; i++) {
        uint32_t component = wanted_of(w, d->ids[i])->component;
        if (d->carrier[1 + i] < WALK_FAR && component < w->carrier.component)
            w->carrier = (struct pair_carrier){component, WALK_INF};
    }
    const int64_t *most = w->savings.most;
    int64_t walk = w->carrier.walk;
    size_t n = 0;
    for (uint32_t i = 0; i < d->live; i++) {
        const struct pair_wanted *j = wanted_of(w, d->ids[i]);
        if (j->component == w->carrier.component)
            walk_lower(&walk, walk_add(d->carrier[1 + i], j->to));
    }
    w->out[n] = (struct saving_source){row_carrier(w), w->carrier.walk - walk};
    n += w->carrier.walk < WALK_FAR && w->out[n].cost < most[row_carrier(w)];
    for (uint32_t i = 0; i < d->live; i++) {
        size_t slot = w->slots.slot_of[d->ids[i]];
        const struct pair_wanted *j = &w->wanted[slot];
        if (j->component != w->carrier.component || d->carrier[1 + i] >= WALK_FAR)
            continue;
        w->out[n] = (struct saving_source){row_out(slot), d->carrier[1 + i] + j->to - walk};
        n += w->out[n].cost < most[row_out(slot)];
    }
    pair_savings_fill(&w->savings, row_carrier(w), w->out, n);
    w->carrier.walk = walk;
}

static csy_status take_ended(struct pair_walk *w, size_t k, csy_error *error)
{
    const struct elimination *d = &w->plan->graph->items[k];
    const struct pair_tally_thread *thread = &w->plan->threads[d->thread];
    size_t slot = 0;
    if (w->plan->own_to) {
        const struct pair_plan *plan = w->plan;
        uint32_t v = d->thread, component = plan->component[v];
        int64_t to = plan->own_to[v], from = plan->own_from[v];
        for (uint32_t i = 0; i + 1 < d->live; i++) {
            const struct pair_wanted *b = wanted_of(w, d->ids[i]);
            if (b->component != component)
                continue;
            walk_lower(&to, walk_add(d->row[i], b->to));
            walk_lower(&from, walk_add(b->from, d->column[i]));
        }
        if (has_carrier(w, d, component))
            walk_lower(&to, walk_add(d->carrier[0], w->carrier.walk));
        plan->own_to[v] = to;
        plan->own_from[v] = from;
    }
    csy_status status = want(w, d->thread, &slot, error);
    if (status)
        return status;
    fill_rows(w, d, slot);
    if (w->steps > w->plan->savings_steps_max)
        return error_set(error, CSY_MEMORY, "sums over pairs of threads would take too long");
    if (!thread->hub) {
        take_all(w, slot, thread->spe);
        for (uint32_t i = 0; i + 1 < d->live; i++)
            if (pair_tally_live_together(&w->plan->threads[d->ids[i]], thread))
                pair_tally_take(&w->tallies.live, error_bound(w, slot, d->ids[i]));
        const uint32_t successive[] = {thread->next, w->plan->previous[d->thread]};
        for (size_t i = 0; i < 2; i++)
            if (successive[i] != NO_THREAD && w->column[successive[i]] != NOT_MET)
                pair_tally_take(&w->tallies.successive, error_bound(w, slot, successive[i]));
    }
    w->work += w->savings.ncolumns;
    status = add_column(w, d, slot, error);
    if (!status && d->carrier)
        pass_carrier(w, d);
    for (uint32_t i = 0; i < d->live; i++) {
        size_t other = w->slots.slot_of[d->ids[i]];
        if (w->wanted[other].first != k)
            continue;
        pair_savings_clear(&w->savings, row_out(other));
        pair_savings_clear(&w->savings, row_into(other));
        slots_give_back(&w->slots, other);
    }
    return status;
}

/* Visit the eliminations down to index `end`. The reported progress is multiplied by `times`; 0: no
 * reports. */
static csy_status pair_walk_run(struct pair_walk *w, size_t end, size_t times, csy_error *error)
{
    csy_status status = CSY_OK;
    size_t count = w->plan->graph->count, met = w->next, done;
    while (w->next > end && !status) {
        status = take_ended(w, --w->next, error);
        if (w->next % w->plan->chunk == 0)
            forget_columns(w);
        done = (met - w->next) * times;
        if (times > 0)
            progress_tell(w->plan->progress, "statistics", CSY_UNIT_THREADS,
                          done < count ? done : count, count);
    }
    return status;
}

static csy_status pair_walk_init(struct pair_walk *w, const struct pair_plan *plan,
                                 csy_error *error)
{
    size_t n = plan->graph->nthreads, most = plan->graph->live_most + 2;
    *w = (struct pair_walk){.plan = plan,
                            .next = plan->graph->count,
                            .carrier = {UINT32_MAX, WALK_INF},
                            .tallies = tallies_none()};
    w->savings = (struct pair_savings){.nrows = 2 * plan->uses.most + 1,
                                       .bytes_max = plan->savings_bytes_max,
                                       .ripe = BLOCK,
                                       .loops = choose_loops()};
    w->savings.most = calloc(w->savings.nrows, sizeof *w->savings.most);
    w->components = malloc((plan->ncomponents + 1) * sizeof *w->components);
    w->column = malloc((n + 1) * sizeof *w->column);
    w->wanted = malloc((plan->uses.most + 1) * sizeof *w->wanted);
    w->out = malloc(most * sizeof *w->out);
    w->into = malloc(most * sizeof *w->into);
    if (!w->components || !w->column || !w->wanted || !w->out || !w->into || !w->savings.most ||
        !widen(&w->savings))
        return error_memory(error);
    for (size_t i = 0; i < plan->ncomponents; i++)
        w->components[i] = (struct pair_component){.most = {-1, -1}};
    for (size_t t = 0; t < n; t++)
        w->column[t] = NOT_MET;
    return CSY_OK;
}

/* Begin a pass in the middle, at elimination next - 1, with no savings. See the head of this
 * file. */
static csy_status pair_walk_guess(struct pair_walk *w, size_t next, csy_error *error)
{
    const struct pair_plan *plan = w->plan;
    const struct elimination *before = &plan->graph->items[next - 1];
    struct pair_component *component = &w->components[0];
    csy_status status = CSY_OK;
    for (size_t k = next; k < plan->graph->count; k++) {
        uint32_t t = plan->graph->items[k].thread;
        int64_t r = plan->to[t] + plan->from[t];
        bool spe = plan->threads[t].spe;
        component->n[spe]++;
        component->sum[spe] += r;
        component->most[spe] = r > component->most[spe] ? r : component->most[spe];
        w->column[t] = NO_COLUMN;
    }
    size_t slot;
    for (uint32_t i = 0; i + 1 < before->live && !status; i++)
        status = want(w, before->ids[i], &slot, error);
    w->next = next;
    return status;
}

/* ---- State of a walk */

/* Call forget_columns before: otherwise, equal states may differ in columns of zeros. */
static csy_status pair_walk_keep(const struct pair_walk *w, struct pair_state *state,
                                 csy_error *error)
{
    const struct pair_savings *savings = &w->savings;
    size_t columns = savings->ncolumns, size = columns * sizeof *state->cells;
    *state = (struct pair_state){.component = w->components[0], .ncolumns = columns};
    state->threads = malloc((w->slots.live + 1) * sizeof *state->threads);
    state->columns = malloc((columns + 1) * sizeof *state->columns);
    state->cells = malloc(2 * w->slots.live * size + 1);
    if (!state->threads || !state->columns || !state->cells)
        return error_memory(error);
    for (size_t x = 0; x < columns; x++)
        state->columns[x] = savings->columns[x].thread;
    for (size_t slot = 0; slot < w->slots.used; slot++) {
        if (slots_is_free(&w->slots, slot))
            continue;
        int64_t *cells = state->cells + 2 * state->nthreads * columns;
        memcpy(cells, pair_savings_row(savings, row_out(slot)), size);
        memcpy(cells + columns, pair_savings_row(savings, row_into(slot)), size);
        state->threads[state->nthreads++] = w->slots.ids[slot];
    }
    return CSY_OK;
}

static bool pair_walk_is_at(const struct pair_walk *w, const struct pair_state *state)
{
    const struct pair_savings *savings = &w->savings;
    size_t columns = savings->ncolumns, size = columns * sizeof *state->cells;
    const struct pair_component *a = &state->component, *b = &w->components[0];
    bool same = state->ncolumns == columns && state->nthreads == w->slots.live;
    for (int kind = 0; kind < 2; kind++)
        same = same && a->n[kind] == b->n[kind] && a->sum[kind] == b->sum[kind] &&
               a->most[kind] == b->most[kind];
    for (size_t x = 0; x < columns && same; x++)
        same = state->columns[x] == savings->columns[x].thread;
    for (size_t i = 0; i < state->nthreads && same; i++) {
        uint32_t slot = slots_find(&w->slots, state->threads[i]);
        const int64_t *cells = state->cells + 2 * i * columns;
        same = slot != SLOTS_NONE &&
               memcmp(cells, pair_savings_row(savings, row_out(slot)), size) == 0 &&
               memcmp(cells + columns, pair_savings_row(savings, row_into(slot)), size) == 0;
    }
    return same;
}

#define NOWHERE UINT32_MAX

enum {
    MANY_COLUMNS = 32,
    CHUNK = 8192,
    CHUNKS_MIN = 2,     /* least number of chunks that a pass visits */
    CHUNK_WARM_UPS = 4, /* A worker warms up on chunk / CHUNK_WARM_UPS eliminations before its own
                         * part. */
    WALKS_MAX = 16
};

/* ---- Components and their landmarks */

static csy_status add_component(struct pair_plan *plan, uint32_t first, csy_error *error)
{
    return ARRAY_PUSH(plan->landmarks, plan->ncomponents, plan->landmarks_capacity, first)
               ? CSY_OK
               : error_memory(error);
}

static void note_landmark(struct pair_plan *plan, uint32_t t)
{
    uint32_t *landmark = &plan->landmarks[plan->component[t]];
    if (*landmark == NOWHERE || plan->threads[t].records > plan->threads[*landmark].records)
        *landmark = t;
}

/* A component is a set of threads that constraints connect. In a trace with one buffer, the threads
 * are sorted by their first records. A thread then begins a new component if it begins after all
 * earlier threads have ended. */
static csy_status find_components(struct pair_plan *plan, csy_error *error)
{
    csy_status status = CSY_OK;
    size_t n = plan->graph->nthreads, count = 0;
    uint64_t last = 0;
    if (plan->graph->any_order) {
        status = elimination_components(plan->graph, plan->component, &count, error);
        for (size_t i = 0; i < count && !status; i++)
            status = add_component(plan, NOWHERE, error);
        for (uint32_t t = 0; t < n && !status; t++)
            note_landmark(plan, t);
        return status;
    }
    for (uint32_t t = 0; t < n && !status; t++) {
        const struct pair_tally_thread *thread = &plan->threads[t];
        if (t == 0 || thread->first_record > last)
            status = add_component(plan, t, error);
        if (status)
            break;
        last = thread->last_record > last ? thread->last_record : last;
        plan->component[t] = (uint32_t)(plan->ncomponents - 1);
        note_landmark(plan, t);
    }
    return status;
}

/* ---- Walks between landmarks and all others */

/* Compute the bounds between each thread and the landmark of its component, or use *known. A thread
 * that is eliminated before its landmark gets only an upper limit here. take_ended later replaces
 * the limit by the bound. */
static csy_status find_landmark_walks(struct pair_plan *plan, const struct pair_known *known,
                                      csy_error *error)
{
    size_t n = plan->graph->nthreads;
    if (known && plan->ncomponents == 1 && plan->landmarks[0] == known->thread) {
        plan->to = known->to;
        plan->from = known->from;
        return CSY_OK;
    }
    plan->own_to = malloc((n + 1) * sizeof *plan->own_to);
    plan->own_from = malloc((n + 1) * sizeof *plan->own_from);
    if (!plan->own_to || !plan->own_from)
        return error_memory(error);
    for (size_t t = 0; t < n; t++)
        plan->own_to[t] = plan->own_from[t] =
            plan->landmarks[plan->component[t]] == t ? 0 : WALK_INF;
    plan->to = plan->own_to;
    plan->from = plan->own_from;
    struct pair_carrier carrier = {0, WALK_INF};
    for (size_t k = 0; k < plan->graph->count; k++) {
        const struct elimination *d = &plan->graph->items[k];
        for (uint32_t i = 0; d->carrier && i < d->live && carrier.walk < WALK_FAR; i++)
            if (plan->component[d->ids[i]] == carrier.component)
                walk_lower(&plan->own_from[d->ids[i]], walk_add(carrier.walk, d->carrier[1 + i]));
        int64_t to = plan->own_to[d->thread], from = plan->own_from[d->thread];
        if (to >= WALK_FAR && from >= WALK_FAR)
            continue;
        if (to < -LANDMARK_MAX || from < -LANDMARK_MAX)
            return walk_range_error(error);
        for (uint32_t i = 0; i + 1 < d->live; i++) {
            uint32_t b = d->ids[i];
            if (plan->component[b] != plan->component[d->thread])
                continue;
            walk_lower(&plan->own_from[b], walk_add(from, d->row[i]));
            walk_lower(&plan->own_to[b], walk_add(d->column[i], to));
        }
        if (!d->carrier)
            continue;
        uint32_t component = plan->component[d->thread];
        int64_t walk = walk_add(plan->own_from[d->thread], d->carrier[0]);
        if (walk >= WALK_FAR || (carrier.walk < WALK_FAR && component < carrier.component))
            continue;
        if (component != carrier.component)
            carrier = (struct pair_carrier){component, walk};
        walk_lower(&carrier.walk, walk);
    }
    return CSY_OK;
}

/* ---- Walks side by side */

/* The work of one worker: it visits the eliminations from index begin - 1 down to index `end`. */
struct part {
    struct pair_walk walk;
    size_t begin, end, times;
    struct pair_state guessed;
    csy_status status;
    csy_error error;
};

struct walk_parts {
    const struct pair_plan *plan;
    struct part parts[WALKS_MAX];
    unsigned nparts, nworkers;
};

static void work(void *user, struct team *team, unsigned self)
{
    struct walk_parts *g = user;
    const struct pair_plan *plan = g->plan;
    size_t count = plan->graph->count, warm_up = plan->chunk / CHUNK_WARM_UPS;
    for (unsigned p = self; p < g->nparts; p += team_size(team)) {
        struct part *part = &g->parts[p];
        struct pair_walk *walk = &part->walk;
        csy_status status = pair_walk_init(walk, plan, &part->error);
        if (!status && part->begin < count) {
            size_t early = count - part->begin < warm_up ? count : part->begin + warm_up;
            status = pair_walk_guess(walk, early, &part->error);
            status = status ? status : pair_walk_run(walk, part->begin, 0, &part->error);
            status = status ? status : pair_walk_keep(walk, &part->guessed, &part->error);
            walk->tallies = tallies_none();
            walk->work = 0;
        }
        part->status = status ? status : pair_walk_run(walk, part->end, part->times, &part->error);
    }
}

static void add_tally(struct pair_tally *to, const struct pair_tally *tally)
{
    to->pairs += tally->pairs;
    to->bounded += tally->bounded;
    to->sum_ticks += tally->sum_ticks;
    to->most_ticks = tally->most_ticks > to->most_ticks ? tally->most_ticks : to->most_ticks;
}

/* Add up the results of all workers, beginning with the worker that visited the last eliminations.
 * If a worker failed or guessed a wrong state, the previous one continues through its part.
 * *work_done becomes the sum of pair_walk.work. */
static csy_status add_up(struct walk_parts *g, struct tallies *out, uint128 *work_done,
                         csy_error *error)
{
    struct part *at = &g->parts[0];
    *work_done = 0;
    for (unsigned i = 0; i < g->nparts; i++) {
        struct part *part = &g->parts[i];
        if (i > 0 && !part->status && pair_walk_is_at(&at->walk, &part->guessed)) {
            at = part;
            out->walks++;
        } else if (i > 0) {
            at->walk.tallies = tallies_none();
            at->walk.work = 0;
            at->status = pair_walk_run(&at->walk, part->end, 0, &at->error);
        }
        if (at->status) {
            if (error)
                *error = at->error;
            return at->status;
        }
        *work_done += at->walk.work;
        add_tally(&out->spe, &at->walk.tallies.spe);
        add_tally(&out->other, &at->walk.tallies.other);
        add_tally(&out->live, &at->walk.tallies.live);
        add_tally(&out->successive, &at->walk.tallies.successive);
    }
    return CSY_OK;
}

csy_status pair_stats_gather(const struct eliminations *graph,
                             const struct pair_tally_thread *threads,
                             const struct pair_effort *effort, struct tallies *out,
                             csy_error *error)
{
    struct pair_plan plan = {.progress = effort->progress,
                             .graph = graph,
                             .threads = threads,
                             .savings_bytes_max = effort->bytes_max,
                             .savings_steps_max =
                                 effort->steps_max ? effort->steps_max : UINT64_MAX,
                             .chunk = effort->chunk ? effort->chunk : CHUNK};
    struct tallies tallies = tallies_none();
    uint128 work_done = 0;
    struct walk_parts *g = calloc(1, sizeof *g);
    csy_status status = g ? elimination_uses_init(&plan.uses, graph, error) : error_memory(error);
    plan.component = malloc((graph->nthreads + 1) * sizeof *plan.component);
    plan.previous = malloc((graph->nthreads + 1) * sizeof *plan.previous);
    if (!status && (!plan.component || !plan.previous))
        status = error_memory(error);
    status = status ? status : find_components(&plan, error);
    for (size_t t = 0; t < graph->nthreads && !status; t++)
        plan.previous[t] = NO_THREAD;
    for (uint32_t t = 0; t < graph->nthreads && !status; t++)
        if (threads[t].next != NO_THREAD)
            plan.previous[threads[t].next] = t;
    status = status ? status : find_landmark_walks(&plan, effort->known, error);
    if (!status) {
        g->plan = &plan;
        size_t count = graph->count, chunks = (count + plan.chunk - 1) / plan.chunk;
        bool apart = !plan.own_to && !graph->has_carrier && !graph->any_order;
        size_t n = apart ? chunks / CHUNKS_MIN : 1;
        n = n > effort->workers ? effort->workers : n > 0 ? n : 1;
        n = n > WALKS_MAX ? WALKS_MAX : n;
        g->nparts = (unsigned)n;
        for (size_t i = 0; i < n; i++) {
            struct part *part = &g->parts[i];
            part->begin = i == 0 ? count : g->parts[i - 1].end;
            part->end = (n - 1 - i) * chunks / n * plan.chunk;
            part->times = i == 0 ? n : 0;
        }
        team_run(g->nparts, work, g);
        status = add_up(g, &tallies, &work_done, error);
    }
    for (unsigned i = 0; g && i < g->nparts; i++) {
        struct pair_walk *w = &g->parts[i].walk;
        const struct pair_state *guessed = &g->parts[i].guessed;
        FREE_ALL(w->savings.cells, w->savings.most, w->savings.columns, w->savings.radii,
                 w->savings.order, w->components, w->column, w->wanted, w->out, w->into,
                 guessed->threads, guessed->columns, guessed->cells);
        slots_fini(&w->slots);
    }
    free(g);
    if (!status) {
        *out = tallies;
        out->quadratic = work_done / MANY_COLUMNS / graph->live_most > graph->count;
    }
    FREE_ALL(plan.component, plan.landmarks, plan.previous, plan.own_to, plan.own_from);
    elimination_uses_fini(&plan.uses);
    return status;
}
