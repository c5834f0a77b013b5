/* Computes shortest paths (walks) by the blocked Floyd-Warshall algorithm (Venkataraman, Sahni,
 * Mukhopadhyaya 2003), with products of packed panels (Goto, van de Geijn 2008). It takes one block
 * P on the diagonal of the matrix after another. With the blocks X and Y beside it,
 *
 *     .  Y  .       1. compute the shortest walks in P, by the same algorithm with smaller blocks
 *     X  P  X       2. X = min(X, P X), one panel of columns at a time; X is copied (packed)
 *     .  Y  .       3. one strip of rows at a time: Y = min(Y, Y P), then rest = min(rest, Y X)
 *     .  Y  .
 *
 * Entry (i,j) of a product, such as P X, is the minimum over k of P[i][k] + X[k][j]. Steps 2 and 3
 * may read entries that they have already changed. Each such entry is the length of some walk, and
 * no less than its final value, so the result does not depend on which worker takes which panel.
 * Workers wait for each other between the steps.
 *
 * A missing edge has the length UNREACHED, about 2 WALK_FAR; the sum of two of them fits in 64
 * bits. According to graph/closure.h, all other edges are so short that a cycle with such an edge
 * is positive. So shortest walks visit no vertex twice. The length of a walk with a missing edge is
 *
 *     UNREACHED - (n - 2) |edge| >= WALK_FAR   or more. */
#include "graph/closure.h"

#include "base/error.h"
#include "base/team.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define UNREACHED (WALK_INF - 1)

enum { CACHE_LINE_BYTES = 64, STRIPS_A_BLOCK = 4 };

/* A square matrix of n rows, with entries m[i * stride + k], and copies of its blocks for the
 * kernel. */
struct square {
    const struct kernel *kernel;
    int64_t *m;
    size_t n, stride;
    size_t block, strip_rows; /* numbers of rows of block P and of a strip, multiples of
                               * kernel->rows */
    size_t first, depth;
    struct square *nested; /* NULL if block P is not divided into smaller blocks */

    int64_t *memory;
    int64_t *left, *right; /* two copies of block P, in the orders that the kernel needs for its
                            * left and right operand */
    int64_t *across;
    int64_t *strips;
    size_t panel_size, strip_size;

    const struct progress *progress; /* receives reports of progress; may be NULL */
    atomic_size_t next_panel, next_strip;
};

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t round_up(size_t value, size_t to)
{
    return (value + to - 1) / to * to;
}

/* Copy rows of a matrix in the order of the kernel's operand a. The last tile is filled up with
 * UNREACHED. Returns false if all entries are missing edges. */
static bool pack_left(const struct kernel *kernel, const int64_t *m, size_t stride, size_t rows,
                      size_t depth, int64_t *to)
{
    int64_t reached = 0;
    size_t height = kernel->rows;
    for (size_t row = 0; row < rows; row++, m += stride) {
        int64_t *at = to + row / height * height * depth + row % height;
        for (size_t k = 0; k < depth; k++) {
            reached |= m[k] - WALK_FAR;
            at[k * height] = m[k];
        }
    }
    for (size_t row = rows; row % height != 0; row++)
        for (size_t k = 0; k < depth; k++)
            to[(row / height * depth + k) * height + row % height] = UNREACHED;
    return reached < 0;
}

/* Copy columns of a matrix, at most kernel->columns, in the order of the kernel's operand b. The
 * rest of the tile is filled up with UNREACHED. */
static void pack_right(const struct kernel *kernel, const int64_t *m, size_t stride, size_t depth,
                       size_t columns, int64_t *to)
{
    for (size_t k = 0; k < round_up(depth, kernel->rows); k++, to += kernel->columns) {
        size_t there = k < depth ? columns : 0;
        if (there > 0)
            memcpy(to, m + k * stride, there * sizeof *to);
        for (size_t j = there; j < kernel->columns; j++)
            to[j] = UNREACHED;
    }
}

/* Lower c[i][j] to the least a[i][k] + b[k][j], if that is less. c is at most one tile wide. */
static void relax_panel(const struct kernel *kernel, int64_t *c, size_t stride, size_t rows,
                        size_t columns, const int64_t *a, const int64_t *b, size_t depth)
{
    for (size_t i = 0; i < rows; i += kernel->rows, a += kernel->rows * depth) {
        size_t height = least(kernel->rows, rows - i);
        int64_t *at = c + i * stride;
        if (height == kernel->rows && columns == kernel->columns) {
            kernel->relax(at, stride, a, b, depth);
            continue;
        }
        /* the last tile is narrower or lower: compute it in a complete tile, and copy the result */
        int64_t tile[KERNEL_TILE_MAX];
        pack_right(kernel, at, stride, height, columns, tile);
        kernel->relax(tile, kernel->columns, a, b, depth);
        for (size_t k = 0; k < height; k++)
            memcpy(at + k * stride, tile + k * kernel->columns, columns * sizeof *c);
    }
}

static void close_plainly(int64_t *m, size_t n, size_t stride)
{
    for (size_t k = 0; k < n; k++) {
        for (size_t s = 0; s < n; s++) {
            int64_t first = m[s * stride + k];
            for (size_t t = 0; t < n; t++) {
                int64_t walk = first + m[k * stride + t];
                m[s * stride + t] = walk < m[s * stride + t] ? walk : m[s * stride + t];
            }
        }
    }
}

static void close_square(struct square *q, struct team *team, unsigned self);

/* Step 1 at the head of this file, for the block on the diagonal that begins at row `first`. */
/* as deep as the logarithm of n: NOLINTNEXTLINE(misc-no-recursion) */
static void close_pivot(struct square *q, size_t first)
{
    const struct kernel *kernel = q->kernel;
    int64_t *pivot = q->m + first * (q->stride + 1);
    q->first = first;
    q->depth = least(q->block, q->n - first);
    if (q->nested) {
        q->nested->m = pivot;
        q->nested->n = q->depth;
        close_square(q->nested, NULL, 0);
    } else {
        close_plainly(pivot, q->depth, q->stride);
    }
    pack_left(kernel, pivot, q->stride, q->depth, q->depth, q->left);
    for (size_t j = 0; j < q->depth; j += kernel->columns)
        pack_right(kernel, pivot + j, q->stride, q->depth, least(kernel->columns, q->depth - j),
                   /* no kernel has 0 columns: NOLINTNEXTLINE(clang-analyzer-core.DivideZero) */
                   q->right + j / kernel->columns * q->panel_size);
    q->next_panel = q->next_strip = 0;
}

static bool in_pivot(const struct square *q, size_t at)
{
    return at >= q->first && at < q->first + q->depth;
}

static void close_panel(struct square *q, size_t column)
{
    const struct kernel *kernel = q->kernel;
    int64_t *x = q->m + q->first * q->stride + column;
    int64_t *packed = q->across + column / kernel->columns * q->panel_size;
    size_t columns = least(kernel->columns, q->n - column);
    if (in_pivot(q, column))
        return;
    pack_right(kernel, x, q->stride, q->depth, columns, packed);
    relax_panel(kernel, packed, kernel->columns, q->depth, kernel->columns, q->left, packed,
                q->depth);
    for (size_t k = 0; k < q->depth; k++)
        memcpy(x + k * q->stride, packed + k * kernel->columns, columns * sizeof *x);
}

/* Lower each entry (i,j) of the strip, in columns `begin` to `end` - 1, to the minimum of y[i][k] +
 * b[k][j] over all k, if this is less. */
static void relax_strip(const struct square *q, int64_t *strip, size_t rows, size_t begin,
                        size_t end, const int64_t *y, const int64_t *b)
{
    const struct kernel *kernel = q->kernel;
    for (size_t j = begin; j < end; j += kernel->columns)
        relax_panel(kernel, strip + j, q->stride, rows, least(kernel->columns, end - j), y,
                    b + (j - begin) / kernel->columns * q->panel_size, q->depth);
}

static void close_strip(struct square *q, size_t row, int64_t *packed)
{
    int64_t *strip = q->m + row * q->stride, *y = strip + q->first;
    size_t rows = least(q->strip_rows, q->n - row), after = q->first + q->depth;
    if (in_pivot(q, row) || !pack_left(q->kernel, y, q->stride, rows, q->depth, packed))
        return;
    relax_strip(q, y, rows, 0, q->depth, packed, q->right);
    pack_left(q->kernel, y, q->stride, rows, q->depth, packed);
    relax_strip(q, strip, rows, 0, q->first, packed, q->across);
    relax_strip(q, strip, rows, after, q->n, packed,
                q->across + after / q->kernel->columns * q->panel_size);
}

/* as deep as the logarithm of n: NOLINTNEXTLINE(misc-no-recursion) */
static void close_square(struct square *q, struct team *team, unsigned self)
{
    size_t i;
    for (size_t first = 0; first < q->n; first += q->block) {
        if (self == 0)
            close_pivot(q, first);
        team_wait(team);
        while ((i = atomic_fetch_add(&q->next_panel, 1) * q->kernel->columns) < q->n)
            close_panel(q, i);
        team_wait(team);
        while ((i = atomic_fetch_add(&q->next_strip, 1) * q->strip_rows) < q->n)
            close_strip(q, i, q->strips + self * q->strip_size);
        team_wait(team);
        if (self == 0)
            progress_tell(q->progress, "closing", CSY_UNIT_THREADS, least(q->n, first + q->block),
                          q->n);
    }
}

static void level(struct square *q, const struct team *team, unsigned self, int64_t unreached)
{
    size_t share = (q->n + team_size(team) - 1) / team_size(team);
    size_t begin = least(q->n, self * share), end = least(q->n, begin + share);
    for (size_t i = begin * q->n; i < end * q->n; i++)
        if (q->m[i] >= WALK_FAR)
            q->m[i] = unreached;
}

static void close_matrix(void *square, struct team *team, unsigned self)
{
    struct square *q = square;
    level(q, team, self, UNREACHED);
    team_wait(team);
    close_square(q, team, self);
    level(q, team, self, WALK_INF);
}

/* Allocate memory for a matrix of up to n rows. The caller frees q->memory. */
static bool square_init(struct square *q, const struct kernel *kernel, size_t block, size_t n,
                        unsigned nworkers)
{
    size_t across = round_up(n, kernel->columns) / kernel->columns;
    size_t pivot = round_up(block, kernel->columns) / kernel->columns;
    bool whole = block % (STRIPS_A_BLOCK * kernel->rows) == 0;
    *q = (struct square){.kernel = kernel, .n = n, .block = block};
    q->strip_rows = whole ? block / STRIPS_A_BLOCK : block;
    q->panel_size = block * kernel->columns;
    q->strip_size = q->strip_rows * block;
    size_t entries = block * block + (pivot + across) * q->panel_size + nworkers * q->strip_size;
    q->memory =
        aligned_alloc(CACHE_LINE_BYTES, round_up(entries * sizeof *q->memory, CACHE_LINE_BYTES));
    if (!q->memory)
        return false;
    q->left = q->memory;
    q->right = q->left + block * block;
    q->across = q->right + pivot * q->panel_size;
    q->strips = q->across + across * q->panel_size;
    return true;
}

csy_status closure_make_by(const struct kernel *kernel, size_t block, int64_t *m, size_t n,
                           unsigned nworkers, const struct progress *progress, csy_error *error)
{
    struct square whole, pivot;
    block = least(block, round_up(n, kernel->leaf));
    if (n == 0)
        return CSY_OK;
    nworkers =
        (unsigned)least(nworkers > 0 ? nworkers : 1, 1 + (n - least(n, block)) / kernel->leaf);
    if (!square_init(&whole, kernel, block, n, nworkers))
        return error_memory(error);
    if (!square_init(&pivot, kernel, kernel->leaf, block, 1)) {
        free(whole.memory);
        return error_memory(error);
    }
    whole.m = m;
    whole.progress = progress;
    whole.stride = pivot.stride = n;
    whole.nested = block > kernel->leaf ? &pivot : NULL;
    team_run(nworkers, close_matrix, &whole);
    free(whole.memory);
    free(pivot.memory);
    return CSY_OK;
}

csy_status closure_make(int64_t *m, size_t n, unsigned nworkers, const struct progress *progress,
                        csy_error *error)
{
    const struct kernel *kernel = kernel_fastest();
    return closure_make_by(kernel, kernel->block, m, n, nworkers, progress, error);
}

bool closure_make_checked(int64_t *m, size_t n)
{
    for (size_t k = 0; k < n; k++)
        for (size_t a = 0; a < n; a++)
            if (a != k && m[a * n + k] < WALK_FAR &&
                !minplus_row(m + a * n, m + k * n, m[a * n + k], n))
                return false;
    return true;
}
