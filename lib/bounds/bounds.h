/* The bounds graph has, for any two threads s and t, a bound wbar(s,t): the least upper limit of
 * offset(s) - offset(t) that follows from all constraints. wbar(s,t) is the length of the shortest
 * path from s to t in the graph of constraints; such lengths are called walks in names. Offsets are
 * relative to the rough offsets, which are estimates from order/rebase.h. A bound of WALK_FAR or
 * more is infinite. */
#ifndef BOUNDS_BOUNDS_H
#define BOUNDS_BOUNDS_H

#include "base/progress.h"
#include "bounds/rows.h"
#include "graph/constraints.h"
#include "graph/search.h"

/* The result of one of three engines (algorithms): a dense matrix of bounds; eliminations
 * (graph/eliminations.h); or the graph of constraints, in which paths are searched. The last two
 * may have more vertices than threads. These vertices, called hubs, come after the threads, and
 * callers never see them. */
struct bounds {
    size_t n;           /* number of threads */
    struct dense dense; /* dense.closure is NULL if the bounds are not a dense matrix */
    struct eliminations sweep;
    /* search.pairs is NULL if another engine computed the bounds; the caller owns the pairs */
    struct search_graph search;
    const struct progress *progress; /* reports the progress of long computations; may be NULL */
};

void bounds_fini(struct bounds *b);

/* bounds_from replaces values[t] by the minimum over all threads s of values[s] + wbar(s,t).
 * bounds_to replaces values[t] by the minimum over s of wbar(t,s) + values[s]. Return CSY_INPUT if
 * a value overflows. Time for T threads, W of them live at once: O(T^2) for a dense matrix, O(T W)
 * for eliminations, O(pairs log T) for a search. */
csy_status bounds_from(const struct bounds *b, int64_t *values, csy_error *error);
csy_status bounds_to(const struct bounds *b, int64_t *values, csy_error *error);

/* Call bounds_from for `from` and bounds_to for `to`, in two workers if that is faster. */
csy_status bounds_around(const struct bounds *b, int64_t *from, int64_t *to, unsigned workers,
                         csy_error *error);

/* The bounds between a thread s and each thread t: from[t * from_stride] is the bound from s to t,
 * and to[t * to_stride] is the bound from t to s. */
struct bound_row {
    const int64_t *from, *to;
    size_t from_stride, to_stride;
};

/* Computes the bounds between one thread and all others, for one thread after another. Request the
 * threads in ascending order: from eliminations, the bounds of several successive threads (a block)
 * are computed together. Memory: up to 64 MiB, or 16 bytes for each thread if that is more. */
struct bound_rows {
    const struct bounds *bounds;
    size_t nvertices;
    /* lanes: number of threads in a block; first: first thread of the current block, or SIZE_MAX */
    size_t lanes, first;
    int64_t *from, *to;
    struct row_blocks blocks;
    bool fits; /* false if row_blocks_init found a bound that overflows */
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
