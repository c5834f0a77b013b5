/* Rows of the bounds graph from eliminations. See doc/algorithms.md, The sweep.
 *
 * A vector has a value for each thread. Its values are replaced by
 *   from:  values[t] = min over s of values[s] + wbar(s,t)
 *   to:    values[t] = min over s of wbar(t,s) + values[s]
 * so a vector of 0 at one thread and WALK_INF elsewhere becomes the row and column of that
 * thread. */
#ifndef BOUNDS_ROWS_H
#define BOUNDS_ROWS_H

#include "graph/eliminations.h"

/* Replace the values. Finite values must be within +-WALK_MAX at first. Returns false if a value
 * overflows. O(T W). */
bool rows_from(const struct eliminations *graph, int64_t *values);
bool rows_to(const struct eliminations *graph, int64_t *values);

/* Call rows_from and rows_to in one pass, because the eliminations exceed CPU caches. */
bool rows_around(const struct eliminations *graph, int64_t *from, int64_t *to);

/* Rows, or columns, of ROWS_LANES neighbouring threads at once, stored as [t * ROWS_LANES + lane].
 *
 * A walk from s to a distant thread passes through threads that are live together in between. If
 * none of the walks to these threads is shorter than the walk through the landmark m (the thread
 * that lives longest), the same holds for each thread beyond them. Then the walk is a sum of two
 * known walks:
 *
 *   eliminations   ..............|---- s ----|.................
 *                      s -> m -> t    searched    s -> m -> t
 *
 * This holds if threads are eliminated in the order of one buffer. In any other order, the whole
 * row is searched. */
enum { ROWS_LANES = 16 };

struct row_blocks {
    const struct eliminations *graph;
    uint32_t landmark;
    int64_t *from, *to; /* wbar(m,t), wbar(t,m); NULL: whole rows are searched, as with a carrier */
    int64_t rest_most;  /* greatest absolute value in `from` and `to` */
    size_t *elimination; /* for each thread: its elimination */
    bool (*fill)(const struct row_blocks *blocks, uint32_t first, bool to, int64_t *values);
};

/* Prepare blocks of rows. `graph` must outlive them. Takes O(T W) time and 16 to 24 bytes for each
 * thread. *fits is the result of rows_from. */
csy_status row_blocks_init(struct row_blocks *blocks, const struct eliminations *graph, bool *fits,
                           csy_error *error);
void row_blocks_fini(struct row_blocks *blocks);

/* Get the rows (or columns) of threads first, first + 1, ...; unused lanes are WALK_INF. Returns
 * false if a value overflows. O(W) for each searched pair, O(1) for other pairs. */
bool row_blocks_from(const struct row_blocks *blocks, uint32_t first, int64_t *values);
bool row_blocks_to(const struct row_blocks *blocks, uint32_t first, int64_t *values);

#endif
