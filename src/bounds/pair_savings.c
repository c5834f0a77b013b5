/* Savings, a dense matrix that forgets its columns of zeros. */
#include "bounds/pair_savings.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

/* Columns are filled in blocks, the cells of which stay in registers.  Those of zeros are looked
 * for when there are a block and a RIPENESS-th more columns than the last time. */
enum { BLOCK = 8, RIPENESS = 4, FIRST_STRIDE = 64, ALIGNMENT = 64 };

/* Sums of so many savings, each of them smaller, fit 64 bits. */
#define SMALL_COLUMNS ((size_t)1 << 20)
#define SMALL_SAVING ((int64_t)1 << 40)

/* Of a column that is not there: below all that is made of a radius and savings. */
#define NO_RADIUS (-((int64_t)1 << 62))

/* Loops over lanes are vectorized where compilers do not unroll them first. */
#if defined __GNUC__
#define ROLLED _Pragma("GCC unroll 1")
#else
#define ROLLED
#endif

#define INLINE static inline __attribute__((always_inline))

void pair_savings_fini(struct pair_savings *s)
{
    free(s->cells);
    free(s->most);
    free(s->columns);
    free(s->radii);
    free(s->order);
    *s = (struct pair_savings){0};
}

static int64_t *aligned(size_t n)
{
    return aligned_alloc(ALIGNMENT, n * sizeof(int64_t)); /* n is a multiple of BLOCK */
}

/* Room for what is known of a column besides its cells. */
static bool widen_columns(struct pair_savings *s, size_t stride)
{
    struct saving_column *columns = realloc(s->columns, stride * sizeof *columns);
    if (columns)
        s->columns = columns;
    uint32_t *order = realloc(s->order, stride * sizeof *order);
    if (order)
        s->order = order;
    return columns && order;
}

/* Room for more columns. */
static bool widen(struct pair_savings *s)
{
    size_t stride = s->stride ? 2 * s->stride : FIRST_STRIDE;
    if (stride > s->bytes_max / sizeof *s->cells / s->nrows || !widen_columns(s, stride))
        return false;
    int64_t *cells = aligned(s->nrows * stride), *radii = aligned(stride);
    if (!cells || !radii) {
        free(cells);
        free(radii);
        return false;
    }
    memset(cells, 0, s->nrows * stride * sizeof *cells);
    for (size_t i = 0; i < s->nrows && s->ncolumns; i++)
        memcpy(cells + i * stride, pair_savings_row(s, i), s->ncolumns * sizeof *cells);
    for (size_t x = 0; x < stride; x++)
        radii[x] = x < s->ncolumns ? s->radii[x] : NO_RADIUS;
    free(s->cells);
    free(s->radii);
    s->cells = cells;
    s->radii = radii;
    s->stride = stride;
    return true;
}

static bool is_like(const struct saving_column *a, const struct saving_column *b)
{
    return a->component == b->component && a->spe == b->spe;
}

csy_status pair_savings_add(struct pair_savings *s, const struct saving_column *column,
                            csy_error *error)
{
    if (s->ncolumns == s->stride && !widen(s))
        return error_memory(error);
    s->uniform = s->ncolumns == 0 || (s->uniform && is_like(column, &s->columns[0]));
    s->radii[s->ncolumns] = column->radius;
    s->columns[s->ncolumns++] = *column;
    return CSY_OK;
}

void pair_savings_clear(struct pair_savings *s, size_t row)
{
    if (s->most[row] > 0)
        memset(s->cells + row * s->stride, 0, s->ncolumns * sizeof *s->cells);
    s->most[row] = 0;
}

/* Compiled for each instruction set that they gain by. */
struct savings_loops {
    int64_t (*fill)(const struct pair_savings *s, int64_t *to, const struct saving_source *sources,
                    size_t n);
    int64_t (*total)(const struct pair_savings *s, const int64_t *out, const int64_t *into,
                     int64_t *most);
};

/* A block as one vector: left to themselves, compilers make vectors of the sources, whose cells lie
 * far apart. */
typedef int64_t block_lanes __attribute__((vector_size(sizeof(int64_t) * BLOCK)));

/* Fill a row and return the greatest of it. */
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

/* The sum of small savings in all columns, and the greatest radius less what is saved. */
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

csy_status pair_savings_init(struct pair_savings *s, size_t nrows, size_t bytes_max,
                             csy_error *error)
{
    *s = (struct pair_savings){
        .nrows = nrows, .bytes_max = bytes_max, .ripe = BLOCK, .loops = choose_loops()};
    s->most = calloc(nrows, sizeof *s->most);
    return s->most && widen(s) ? CSY_OK : error_memory(error);
}

void pair_savings_fill(struct pair_savings *s, size_t row, const struct saving_source *sources,
                       size_t n)
{
    if (n == 0)
        pair_savings_clear(s, row);
    else
        s->most[row] = s->loops->fill(s, s->cells + row * s->stride, sources, n);
}

/* Column by column. */
static void total_slowly(const struct pair_savings *s, const int64_t *out, const int64_t *into,
                         uint32_t component, int64_t radius, struct saving_totals *totals)
{
    for (size_t x = 0; x < s->ncolumns; x++) {
        const struct saving_column *column = &s->columns[x];
        if (column->component != component)
            continue;
        int64_t saving = out[x] + into[x], bound = radius + column->radius - saving;
        int64_t *most = &totals->most[column->spe];
        totals->saved[column->spe] += saving;
        *most = bound > *most ? bound : *most;
    }
}

void pair_savings_total(const struct pair_savings *s, size_t out, size_t into, uint32_t component,
                        int64_t radius, struct saving_totals *totals)
{
    const int64_t *out_of = pair_savings_row(s, out), *in = pair_savings_row(s, into);
    bool small = s->uniform && s->ncolumns < SMALL_COLUMNS && s->most[out] < SMALL_SAVING &&
                 s->most[into] < SMALL_SAVING;
    *totals = (struct saving_totals){{0, 0}, {-1, -1}};
    if (s->ncolumns == 0 || (small && s->columns[0].component != component))
        return;
    if (!small) {
        total_slowly(s, out_of, in, component, radius, totals);
        return;
    }
    int64_t most, saved = s->loops->total(s, out_of, in, &most);
    totals->saved[s->columns[0].spe] = saved;
    totals->most[s->columns[0].spe] = radius + most;
}

bool pair_savings_ripe(const struct pair_savings *s)
{
    return s->ncolumns >= s->ripe;
}

void pair_savings_mark(struct pair_savings *s)
{
    for (size_t x = 0; x < s->ncolumns; x += BLOCK) {
        int64_t any[BLOCK] = {0};
        for (size_t i = 0; i < s->nrows; i++) {
            const int64_t *cells = pair_savings_row(s, i) + x;
            if (s->most[i] == 0)
                continue;
            for (size_t k = 0; k < BLOCK; k++)
                any[k] |= cells[k];
        }
        for (size_t k = 0; k < BLOCK && x + k < s->ncolumns; k++)
            s->columns[x + k].idle = any[k] == 0;
    }
}

/* The columns from `first` to `kept`, in the order that they are to have. */
static void move_up(struct pair_savings *s, size_t first, size_t kept)
{
    size_t gone = s->ncolumns - kept;
    for (size_t i = 0; i < s->nrows; i++) {
        int64_t *cells = s->cells + i * s->stride;
        if (s->most[i] == 0)
            continue;
        for (size_t x = first; x < kept; x++)
            cells[x] = cells[s->order[x]];
        memset(cells + kept, 0, gone * sizeof *cells);
    }
    for (size_t x = first; x < kept; x++)
        s->columns[x] = s->columns[s->order[x]];
    for (size_t x = first; x < s->ncolumns; x++)
        s->radii[x] = x < kept ? s->columns[x].radius : NO_RADIUS;
}

void pair_savings_drop(struct pair_savings *s)
{
    size_t first = 0, kept;
    while (first < s->ncolumns && !s->columns[first].idle)
        first++;
    kept = first;
    for (size_t x = first; x < s->ncolumns; x++)
        if (!s->columns[x].idle)
            s->order[kept++] = (uint32_t)x;
    move_up(s, first, kept);
    s->ncolumns = kept;
    s->uniform = true;
    for (size_t x = 1; x < kept; x++)
        s->uniform = s->uniform && is_like(&s->columns[x], &s->columns[0]);
    s->ripe = kept + kept / RIPENESS + BLOCK;
}
