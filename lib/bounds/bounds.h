/* For any two threads s and t, wbar(s,t) is the least upper limit of offset(s) - offset(t) that
 * follows from all constraints. It is called the bound from s to t. It is the length of the
 * shortest path from s to t in the graph of constraints. Names of variables call such a length a
 * walk. Offsets are relative to an estimate (order/rebase.h). A bound of WALK_FAR or more is
 * infinite. */
#ifndef BOUNDS_BOUNDS_H
#define BOUNDS_BOUNDS_H

#include "base/progress.h"
#include "bounds/rows.h"
#include "graph/constraints.h"
#include "graph/search.h"

/* One of three representations of all bounds: a matrix (dense); eliminations
 * (graph/eliminations.h); or the graph of constraints, where paths are searched. The last two may
 * have vertices that are not threads. These come after the threads, and callers never see them. */
struct bounds {
    size_t n;           /* number of threads */
    struct dense dense; /* if dense.closure is not NULL: a matrix of all bounds */
    struct eliminations sweep;
    /* search.pairs is NULL if another engine computed the bounds; the caller owns the pairs */
    struct search_graph search;
    const struct progress *progress; /* reports the progress of long computations; may be NULL */
};

void bounds_fini(struct bounds *b);

/* bounds_from replaces values[t] by the minimum over all threads s of values[s] + wbar(s,t); see
 * the head of this file. bounds_to replaces values[t] by the minimum over s of wbar(t,s) +
 * values[s]. Return CSY_INPUT if a value overflows. Time for T threads, W of them live at once:
 * O(T^2) for a dense matrix, O(T W) for eliminations, O(pairs log T) for a search. */
csy_status bounds_from(const struct bounds *b, int64_t *values, csy_error *error);
csy_status bounds_to(const struct bounds *b, int64_t *values, csy_error *error);

/* Call bounds_from for `from` and bounds_to for `to`, in two workers if that is faster. */
csy_status bounds_around(const struct bounds *b, int64_t *from, int64_t *to, unsigned workers,
                         csy_error *error);

/* The bounds between one thread s and all others: wbar(s,t) is from[t * from_stride], and wbar(t,s)
 * is to[t * to_stride]. */
struct bound_row {
    const int64_t *from, *to;
    size_t from_stride, to_stride;
};

/* Computes the bounds between one thread and all others, for one thread after another. This is
 * fastest if the threads are requested in ascending order. Memory: up to 64 MiB, or 16 bytes for
 * each thread if that is more. */
struct bound_rows {
    const struct bounds *bounds;
    size_t nvertices;
    /* lanes: bounds are computed for this many threads at once. first: the first of these threads,
     * or SIZE_MAX */
    size_t lanes, first;
    int64_t *from, *to;
    struct row_blocks blocks;
    bool fits; /* false if a bound overflows */
};

csy_status bound_rows_init(struct bound_rows *rows, const struct bounds *b, csy_error *error);
void bound_rows_fini(struct bound_rows *rows);

/* Set *row to the bounds of s, valid until the next call. Returns CSY_INPUT if a bound
 * overflows. */
csy_status bound_rows_get(struct bound_rows *rows, size_t s, struct bound_row *row,
                          csy_error *error);

/* Estimates how many computing steps the bounds between one thread and all others take. */
uint64_t bounds_row_steps(const struct bounds *b);

/* Set errors[t] to the error bound of s and t: the sum of the bounds in both directions, or -1 if
 * one of them is infinite. `errors` and the scratch memory `room` have an entry for each thread.
 * For a single row, this is faster than bound_rows. Returns CSY_INPUT if a bound overflows. */
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

/* Returns the error bound: the sum of the bounds both ways, or -1 if one of them is infinite. */
static inline int64_t bound_error(const struct bound_row *row, size_t t)
{
    return walk_width(bound_from(row, t), bound_to(row, t));
}

#endif
