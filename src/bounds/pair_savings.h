/*
 * Savings: by how much walks between threads are shorter than the way through a landmark.
 *
 *   saving(v,x) = to[v] + from[x] - wbar(v,x) >= 0,
 *   to[v] = wbar(v,landmark), from[x] = wbar(landmark,x)
 *
 * They are kept as a dense matrix.  Its rows are the walks out of, or into, one of the few threads
 * that are live; its columns the threads x where any of the rows still saves something.  The row of
 * a new thread is made of those of its neighbours b:
 *   saving(v,x) = max(0, max over b of saving(b,x) - cost(v,b)),
 * the cost, >= 0, being how much longer the way to the landmark becomes by going to b first.  So a
 * column of zeros stays one, and is dropped.
 */
#ifndef BOUNDS_PAIR_SAVINGS_H
#define BOUNDS_PAIR_SAVINGS_H

#include "base/number.h"

struct saving_column {
    uint32_t thread;
    uint32_t component;
    int64_t radius; /* to + from */
    bool spe;
    bool idle; /* to be dropped: of zeros (pair_savings_mark), or of no more use */
};

/* A row of which another one is made. */
struct saving_source {
    size_t row;
    int64_t cost;
};

/* Of a row and the columns of a component: sums of savings, and the greatest error bounds, by
 * whether columns are those of SPEs; -1: there are none. */
struct saving_totals {
    int128 saved[2];
    int64_t most[2];
};

struct pair_savings {
    size_t nrows, stride, bytes_max;
    int64_t *cells; /* row i at i * stride; 0 from ncolumns on */
    int64_t *most;  /* by row: no cell of it is above */
    struct saving_column *columns;
    int64_t *radii;  /* those of the columns */
    uint32_t *order; /* room, an entry a column */
    size_t ncolumns;
    bool uniform; /* columns are of one component and kind */
    size_t ripe;  /* look for columns of zeros when there are this many */
    const struct savings_loops *loops;
};

/* No columns yet; 8 bytes a row and column, up to bytes_max. */
csy_status pair_savings_init(struct pair_savings *s, size_t nrows, size_t bytes_max,
                             csy_error *error);
void pair_savings_fini(struct pair_savings *s);

/* row = max(0, the greatest of the sources' cells less their costs), column by column; the row may
 * be one of its sources.  O(n columns). */
void pair_savings_fill(struct pair_savings *s, size_t row, const struct saving_source *sources,
                       size_t n);

/* row = 0, as it is at the start.  O(columns). */
void pair_savings_clear(struct pair_savings *s, size_t row);

/* Append a column of zeros.  CSY_MEMORY where that takes more than bytes_max. */
csy_status pair_savings_add(struct pair_savings *s, const struct saving_column *column,
                            csy_error *error);

/* Give the last column its cell in this row. */
static inline void pair_savings_set(struct pair_savings *s, size_t row, int64_t saving)
{
    s->cells[row * s->stride + s->ncolumns - 1] = saving;
    s->most[row] = saving > s->most[row] ? saving : s->most[row];
}

/* What two rows, out of and into a thread of that component and radius, come to together.
 * O(columns). */
void pair_savings_total(const struct pair_savings *s, size_t out, size_t into, uint32_t component,
                        int64_t radius, struct saving_totals *totals);

/* Whether there are so many columns that a look for those of zeros is due: as often as to cost less
 * than filling does. */
bool pair_savings_ripe(const struct pair_savings *s);

/* Mark the columns of zeros as idle, and drop all that are, the others moving up in order.
 * O(rows columns). */
void pair_savings_mark(struct pair_savings *s);
void pair_savings_drop(struct pair_savings *s);

static inline const int64_t *pair_savings_row(const struct pair_savings *s, size_t row)
{
    return s->cells + row * s->stride;
}

#endif
