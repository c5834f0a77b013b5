/* Savings, a dense matrix that forgets its columns of zeros. */
#include "bounds/pair_savings.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

/* Columns are filled in blocks, the cells of which stay in registers.  Those of zeros are looked
 * for when there are a block and a RIPENESS-th more columns than the last time. */
enum { BLOCK = 8, RIPENESS = 4, FIRST_STRIDE = 64, ALIGNMENT = 64 };

void pair_savings_fini(struct pair_savings *s)
{
    free(s->cells);
    free(s->most);
    free(s->columns);
    *s = (struct pair_savings){0};
}

/* Room for more columns. */
static bool widen(struct pair_savings *s)
{
    size_t stride = s->stride ? 2 * s->stride : FIRST_STRIDE;
    if (stride > s->bytes_max / sizeof *s->cells / s->nrows)
        return false;
    struct saving_column *columns = realloc(s->columns, stride * sizeof *columns);
    if (!columns)
        return false;
    s->columns = columns;
    int64_t *cells = aligned_alloc(ALIGNMENT, s->nrows * stride * sizeof *cells);
    if (!cells)
        return false;
    memset(cells, 0, s->nrows * stride * sizeof *cells);
    for (size_t i = 0; i < s->nrows && s->ncolumns; i++)
        memcpy(cells + i * stride, pair_savings_row(s, i), s->ncolumns * sizeof *cells);
    free(s->cells);
    s->cells = cells;
    s->stride = stride;
    return true;
}

csy_status pair_savings_add(struct pair_savings *s, const struct saving_column *column,
                            csy_error *error)
{
    if (s->ncolumns == s->stride && !widen(s))
        return error_memory(error);
    s->columns[s->ncolumns++] = *column;
    return CSY_OK;
}

void pair_savings_set(struct pair_savings *s, size_t row, int64_t saving)
{
    s->cells[row * s->stride + s->ncolumns - 1] = saving;
    if (saving > s->most[row])
        s->most[row] = saving;
}

void pair_savings_clear(struct pair_savings *s, size_t row)
{
    if (s->most[row] > 0)
        memset(s->cells + row * s->stride, 0, s->ncolumns * sizeof *s->cells);
    s->most[row] = 0;
}

typedef int64_t pair_savings_filler(const struct pair_savings *s, int64_t *to,
                                    const struct saving_source *sources, size_t n);

/* Fill a row and return the greatest of it.  Compiled for each instruction set that it gains by. */
static inline __attribute__((always_inline)) int64_t
fill(const struct pair_savings *s, int64_t *to, const struct saving_source *sources, size_t n)
{
    int64_t most = 0;
    for (size_t x = 0; x < s->ncolumns; x += BLOCK) {
        int64_t best[BLOCK] = {0};
        for (size_t i = 0; i < n; i++) {
            const int64_t *cells = pair_savings_row(s, sources[i].row) + x;
            for (size_t k = 0; k < BLOCK; k++) {
                int64_t saving = cells[k] - sources[i].cost;
                best[k] = saving > best[k] ? saving : best[k];
            }
        }
        for (size_t k = 0; k < BLOCK; k++) {
            to[x + k] = best[k];
            most = best[k] > most ? best[k] : most;
        }
    }
    return most;
}

static int64_t fill_portable(const struct pair_savings *s, int64_t *to,
                             const struct saving_source *sources, size_t n)
{
    return fill(s, to, sources, n);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static int64_t
fill_avx2(const struct pair_savings *s, int64_t *to, const struct saving_source *sources, size_t n)
{
    return fill(s, to, sources, n);
}

static pair_savings_filler *choose_filler(void)
{
    return __builtin_cpu_supports("avx2") ? fill_avx2 : fill_portable;
}
#else
static pair_savings_filler *choose_filler(void)
{
    return fill_portable;
}
#endif

csy_status pair_savings_init(struct pair_savings *s, size_t nrows, size_t bytes_max,
                             csy_error *error)
{
    *s = (struct pair_savings){
        .nrows = nrows, .bytes_max = bytes_max, .ripe = BLOCK, .fill = choose_filler()};
    s->most = calloc(nrows, sizeof *s->most);
    return s->most && widen(s) ? CSY_OK : error_memory(error);
}

void pair_savings_fill(struct pair_savings *s, size_t row, const struct saving_source *sources,
                       size_t n)
{
    if (n == 0)
        pair_savings_clear(s, row);
    else
        s->most[row] = s->fill(s, s->cells + row * s->stride, sources, n);
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

/* Move up the cells of the columns that stay. */
static void drop_cells(const struct pair_savings *s, int64_t *cells)
{
    size_t kept = 0;
    for (size_t x = 0; x < s->ncolumns; x++) {
        cells[kept] = cells[x];
        kept += !s->columns[x].idle;
    }
    memset(cells + kept, 0, (s->ncolumns - kept) * sizeof *cells);
}

void pair_savings_drop(struct pair_savings *s)
{
    size_t kept = 0;
    for (size_t i = 0; i < s->nrows; i++)
        if (s->most[i] > 0)
            drop_cells(s, s->cells + i * s->stride);
    for (size_t x = 0; x < s->ncolumns; x++)
        if (!s->columns[x].idle)
            s->columns[kept++] = s->columns[x];
    s->ncolumns = kept;
    s->ripe = kept + kept / RIPENESS + BLOCK;
}
