/* Computes the bounds between one thread and all others from eliminations (graph/eliminations.h).
 * See doc/algorithms.md, The sweep. The bounds wbar(s,t) of bounds/bounds.h are a matrix: row s has
 * the bounds from s to all threads, and column s the bounds from all threads to s. rows_from
 * replaces each values[t] by the minimum over all threads s of values[s] + wbar(s,t). rows_to
 * replaces it by the minimum over s of wbar(t,s) + values[s]. If values[s] is 0 for one thread s,
 * and WALK_INF for all others, this computes row s or column s. */
#ifndef BOUNDS_ROWS_H
#define BOUNDS_ROWS_H

#include "graph/eliminations.h"

/* Finite values must be within +-WALK_MAX. Return false if a value overflows. Time: O(size of all
 * eliminations). */
bool rows_from(const struct eliminations *graph, int64_t *values);
bool rows_to(const struct eliminations *graph, int64_t *values);

/* Call rows_from for `from` and rows_to for `to`. Faster than two calls, as the eliminations are
 * read once. */
bool rows_around(const struct eliminations *graph, int64_t *from, int64_t *to);

/* Computes the rows, or columns, of ROWS_LANES neighbouring threads ("lanes") at once. The value of
 * thread t is stored at [t * ROWS_LANES + lane].
 *
 * The landmark m is the thread that lives longest. Starting at s, the search proceeds to threads
 * that are eliminated earlier and later. It ends when none of the threads that are live together
 * can be reached by a shorter path than the one through the landmark. The same then holds for each
 * thread beyond them, so that its value is a sum of two known numbers:
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
    int64_t *from, *to;  /* for each thread: bounds from and to the landmark; NULL if there is no
                          * landmark */
    int64_t rest_most;   /* greatest absolute value in `from` and `to`; infinite values do not
                          * count */
    size_t *elimination; /* for each thread: index of the elimination that removes it */
    bool (*fill)(const struct row_blocks *blocks, uint32_t first, bool to, int64_t *values);
};

/* `graph` must outlive *blocks. *fits becomes false if a bound overflows; *blocks is then useless.
 * Memory: 16 to 24 bytes for each thread. */
csy_status row_blocks_init(struct row_blocks *blocks, const struct eliminations *graph, bool *fits,
                           csy_error *error);
void row_blocks_fini(struct row_blocks *blocks);

/* Compute the rows (row_blocks_from) or columns (row_blocks_to) of the ROWS_LANES threads from
 * `first` on. If there are fewer threads, the values of missing threads are WALK_INF. Return false
 * if a value overflows. */
bool row_blocks_from(const struct row_blocks *blocks, uint32_t first, int64_t *values);
bool row_blocks_to(const struct row_blocks *blocks, uint32_t first, int64_t *values);

#endif
