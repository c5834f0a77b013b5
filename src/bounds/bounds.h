/*
 * The bounds graph, whichever engine made it: wbar(s,t) for any threads, a row and a column at a
 * time.
 *
 * Bounds are between x (order/rebase.h); one that is WALK_FAR or above is none.
 */
#ifndef BOUNDS_BOUNDS_H
#define BOUNDS_BOUNDS_H

#include "base/progress.h"
#include "bounds/rows.h"
#include "graph/dense.h"
#include "graph/search.h"

/* Dense; or by eliminations, those of a sweep or of pairs; or by searching pairs.  The latter two
 * may have vertices more than threads, numbered after these: hubs, which no caller sees. */
struct bounds {
    size_t n;           /* threads */
    struct dense dense; /* closure NULL: not dense */
    struct eliminations sweep;
    struct search_graph search;      /* pairs NULL: not searched; they are not freed with it */
    const struct progress *progress; /* of long work on them; may be NULL */
};

void bounds_fini(struct bounds *b);

/* Replace n values: from, values[t] = min over s of values[s] + wbar(s,t); to, values[t] = min over
 * s of wbar(t,s) + values[s].  CSY_INPUT where one leaves the range of the arithmetic.  dense:
 * O(T^2) and room for T more; sweep: O(T W); search: O(pairs log T). */
csy_status bounds_from(const struct bounds *b, int64_t *values, csy_error *error);
csy_status bounds_to(const struct bounds *b, int64_t *values, csy_error *error);

/* Both, n values each, by two workers where there are so many and that pays. */
csy_status bounds_around(const struct bounds *b, int64_t *from, int64_t *to, unsigned workers,
                         csy_error *error);

/* wbar(s,t) and wbar(t,s) of one s for all t, at [t * stride]. */
struct bound_row {
    const int64_t *from, *to;
    size_t from_stride, to_stride;
};

/* Rows on demand; those of eliminations are made in blocks of neighbours, so that visiting threads
 * in order costs O(T W) each.  Up to 64 MiB, or 16 bytes a thread where that is more. */
struct bound_rows {
    const struct bounds *bounds;
    size_t nvertices;
    size_t lanes, first; /* the block holds threads [first, first + lanes); first SIZE_MAX: none */
    int64_t *from, *to;
    struct row_blocks blocks;
    bool fits; /* what blocks start from is within the range of the arithmetic */
};

csy_status bound_rows_init(struct bound_rows *rows, const struct bounds *b, csy_error *error);
void bound_rows_fini(struct bound_rows *rows);

/* The row of thread s; holds until the next call.  CSY_INPUT where it leaves the range of the
 * arithmetic. */
csy_status bound_rows_get(struct bound_rows *rows, size_t s, struct bound_row *row,
                          csy_error *error);

/* About how many steps a row and a column take: 2 for each entry of the eliminations, 64 a pair
 * that is searched, 1 a thread where dense.  O(T). */
uint64_t bounds_row_steps(const struct bounds *b);

/* The error bounds of s and every t, or -1 where a pair is not bounded both ways.  room and errors:
 * b->n values each.  One row by itself is quicker so than by bound_rows.  Cost as of bounds_from,
 * but dense O(T).  CSY_INPUT where it leaves the range of the arithmetic. */
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

/* The error bound of s and t, or -1 where the pair is not bounded both ways. */
static inline int64_t bound_error(const struct bound_row *row, size_t t)
{
    return walk_width(bound_from(row, t), bound_to(row, t));
}

#endif
