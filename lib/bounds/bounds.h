/* The bounds graph has a bound wbar(s,t) for any two threads s and t, whichever engine computed it.
 * Bounds are between times x (order/rebase.h). A bound of WALK_FAR or more is infinite. */
#ifndef BOUNDS_BOUNDS_H
#define BOUNDS_BOUNDS_H

#include "base/progress.h"
#include "bounds/rows.h"
#include "graph/dense.h"
#include "graph/search.h"

/* The result of one of three engines: a dense closure, eliminations (of a sweep or of pairs), or a
 * search over pairs. Eliminations and pairs may have hubs: vertices numbered after the threads,
 * which callers never see. */
struct bounds {
    size_t n;           /* number of threads */
    struct dense dense; /* `closure` is NULL if another engine computed the bounds */
    struct eliminations sweep;
    /* `pairs` is NULL if another engine computed the bounds; the caller owns the pairs */
    struct search_graph search;
    const struct progress *progress; /* reports the progress of long computations; may be NULL */
};

void bounds_fini(struct bounds *b);

/* Replace n values. bounds_from sets values[t] to the minimum over s of values[s] + wbar(s,t),
 * bounds_to to the minimum over s of wbar(t,s) + values[s]. Returns CSY_INPUT if a value overflows.
 * Cost: O(T^2) time and T more words if dense, O(T W) for a sweep, O(pairs log T) for a search. */
csy_status bounds_from(const struct bounds *b, int64_t *values, csy_error *error);
csy_status bounds_to(const struct bounds *b, int64_t *values, csy_error *error);

/* Call bounds_from and bounds_to at the same time, with two workers if that is faster. */
csy_status bounds_around(const struct bounds *b, int64_t *from, int64_t *to, unsigned workers,
                         csy_error *error);

/* The row of a thread s: from[t * from_stride] is wbar(s,t), and to[t * to_stride] is wbar(t,s). */
struct bound_row {
    const int64_t *from, *to;
    size_t from_stride, to_stride;
};

/* Rows of the bounds graph, computed on demand. Eliminations are read once for each block of
 * neighbouring threads, so rows in ascending order cost O(T W) each. Memory: up to 64 MiB, or 16
 * bytes for each thread if that is more. */
struct bound_rows {
    const struct bounds *bounds;
    size_t nvertices;
    size_t lanes, first; /* the block has threads first to first + lanes - 1; SIZE_MAX: no block */
    int64_t *from, *to;
    struct row_blocks blocks;
    bool fits; /* no overflow happened when the blocks were prepared */
};

csy_status bound_rows_init(struct bound_rows *rows, const struct bounds *b, csy_error *error);
void bound_rows_fini(struct bound_rows *rows);

/* Get the row of thread s, valid until the next call. Returns CSY_INPUT if a bound overflows. */
csy_status bound_rows_get(struct bound_rows *rows, size_t s, struct bound_row *row,
                          csy_error *error);

/* Estimate the steps to compute one row and column. An entry of the eliminations counts 2, a
 * searched pair 64, and a thread of a dense graph 1. O(T). */
uint64_t bounds_row_steps(const struct bounds *b);

/* Set errors[t] to the error bound of s and t, or -1 if the pair is not bounded on both sides.
 * `errors` and the scratch memory `room` have b->n entries. Faster than bound_rows for a single
 * row. Costs as much as bounds_from, but O(T) for a dense graph. CSY_INPUT if a bound overflows. */
csy_status bounds_errors(const struct bounds *b, size_t s, int64_t *room, int64_t *errors,
                         csy_error *error);

static inline int64_t bound_from(const struct bound_row *row, size_t t)
{
    return row->from[t * row->from_stride];
}

static inline int64_t bound_to(const struct bound_row *row, size_t t)
{
    return row->to[t * row->to_stride];
}

/* Returns the error bound of s and t, or -1 if the pair is not bounded on both sides. */
static inline int64_t bound_error(const struct bound_row *row, size_t t)
{
    return walk_width(bound_from(row, t), bound_to(row, t));
}

#endif
