/* The bounds graph: wbar(s,t) for any two threads, by row and column, whichever engine computed it.
 * Bounds are between x (order/rebase.h). A bound of WALK_FAR or more is infinite. */
#ifndef BOUNDS_BOUNDS_H
#define BOUNDS_BOUNDS_H

#include "base/progress.h"
#include "bounds/rows.h"
#include "graph/dense.h"
#include "graph/search.h"

/* The result of one of three engines: a dense closure, eliminations (of a sweep or of pairs), or a
 * search over pairs. The last two may have hubs, which are vertices numbered after the threads;
 * callers never see them. */
struct bounds {
    size_t n;           /* number of threads */
    struct dense dense; /* closure is NULL with another engine */
    struct eliminations sweep;
    /* pairs is NULL with another engine; the caller owns the pairs */
    struct search_graph search;
    const struct progress *progress; /* for long computations; may be NULL */
};

void bounds_fini(struct bounds *b);

/* Replace n values: bounds_from sets values[t] = min over s of values[s] + wbar(s,t), bounds_to
 * sets values[t] = min over s of wbar(t,s) + values[s]. CSY_INPUT if a value overflows. Dense:
 * O(T^2) time and T more words; sweep: O(T W); search: O(pairs log T). */
csy_status bounds_from(const struct bounds *b, int64_t *values, csy_error *error);
csy_status bounds_to(const struct bounds *b, int64_t *values, csy_error *error);

/* bounds_from and bounds_to at once, with two workers if that is faster. */
csy_status bounds_around(const struct bounds *b, int64_t *from, int64_t *to, unsigned workers,
                         csy_error *error);

/* Row s: wbar(s,t) is at from[t * from_stride], and wbar(t,s) at to[t * to_stride]. */
struct bound_row {
    const int64_t *from, *to;
    size_t from_stride, to_stride;
};

/* Rows of the bounds graph, computed on demand. Eliminations are read once for each block of
 * neighbouring threads, so rows in order cost O(T W) for each thread. Takes up to 64 MiB, or 16
 * bytes for each thread if that is more. */
struct bound_rows {
    const struct bounds *bounds;
    size_t nvertices;
    size_t lanes, first; /* the block holds threads first to first + lanes - 1; SIZE_MAX: none */
    int64_t *from, *to;
    struct row_blocks blocks;
    bool fits; /* starting values of blocks did not overflow */
};

csy_status bound_rows_init(struct bound_rows *rows, const struct bounds *b, csy_error *error);
void bound_rows_fini(struct bound_rows *rows);

/* Get the row of thread s, valid until the next call. CSY_INPUT if a bound overflows. */
csy_status bound_rows_get(struct bound_rows *rows, size_t s, struct bound_row *row,
                          csy_error *error);

/* Estimate the steps for one row and column: 2 for each entry of the eliminations, 64 for each
 * searched pair, 1 for each thread of a dense graph. O(T). */
uint64_t bounds_row_steps(const struct bounds *b);

/* Set errors[t] to the error bound of s and t, or -1 if the pair is not bounded on both sides. room
 * and errors have b->n entries; room is scratch. For a single row this is faster than bound_rows.
 * Costs as much as bounds_from, but O(T) for a dense graph. CSY_INPUT if a bound overflows. */
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

/* The error bound of s and t, or -1 if the pair is not bounded both ways. */
static inline int64_t bound_error(const struct bound_row *row, size_t t)
{
    return walk_width(bound_from(row, t), bound_to(row, t));
}

#endif
