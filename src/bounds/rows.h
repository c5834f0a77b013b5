/*
 * Rows of the bounds graph out of eliminations.  cellsync-model(7), The sweep.
 *
 * A vector holds a value for each thread, which are replaced by
 *   from:  values[t] = min over s of values[s] + wbar(s,t)
 *   to:    values[t] = min over s of wbar(t,s) + values[s]
 * so that values of 0 at one thread and WALK_INF elsewhere become its row and its column.
 */
#ifndef BOUNDS_ROWS_H
#define BOUNDS_ROWS_H

#include "graph/eliminations.h"

/* Finite values begin within +-WALK_MAX.  False where one leaves the range of the arithmetic.
 * O(T W). */
bool rows_from(const struct eliminations *graph, int64_t *values);
bool rows_to(const struct eliminations *graph, int64_t *values);

/* Both at once: it takes less time, since the records do not stay in the processor's caches. */
bool rows_around(const struct eliminations *graph, int64_t *from, int64_t *to);

/*
 * Rows, or columns, of ROWS_LANES neighbouring threads at once: [t * ROWS_LANES + lane].
 *
 * A walk from s to a thread far away passes through threads that are live together, in between.
 * Where the walks to all of these are no shorter than the way through the landmark m, which lives
 * longest, neither are those to any thread beyond, and these are sums of two known walks:
 *
 *   eliminations  ..............|---- s ----|.................
 *                 s -> m -> t     searched    s -> m -> t
 *
 * That is so where threads are eliminated in the order of one buffer; in any other, all is
 * searched.
 */
enum { ROWS_LANES = 16 };

struct row_blocks {
    const struct eliminations *graph;
    uint32_t landmark;
    int64_t *from, *to;  /* wbar(m,t), wbar(t,m); NULL: all is searched, with a carrier, too */
    int64_t rest_most;   /* the greatest magnitude of those */
    size_t *elimination; /* by thread */
    bool (*fill)(const struct row_blocks *blocks, uint32_t first, bool to, int64_t *values);
};

/* graph must stay.  16 to 24 bytes a thread; O(T W).  *fits as with rows_from. */
csy_status row_blocks_init(struct row_blocks *blocks, const struct eliminations *graph, bool *fits,
                           csy_error *error);
void row_blocks_fini(struct row_blocks *blocks);

/* Fill with the rows (or columns) of threads first, first + 1, ...; unused lanes with WALK_INF.
 * False as with rows_from.  O(W) for each pair that is searched, O(1) for the others. */
bool row_blocks_from(const struct row_blocks *blocks, uint32_t first, int64_t *values);
bool row_blocks_to(const struct row_blocks *blocks, uint32_t first, int64_t *values);

#endif
