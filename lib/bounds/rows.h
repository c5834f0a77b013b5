/* Computes rows of the bounds graph from eliminations. See doc/algorithms.md, The sweep.
 *
 * A vector has a value for each thread. rows_from replaces each values[t] by the minimum over all
 * threads s of values[s] + wbar(s,t); rows_to replaces it by the minimum of wbar(t,s) + values[s].
 * Here wbar is the bound of bounds/bounds.h. So a vector of 0 at one thread and WALK_INF elsewhere
 * becomes the row or the column of that thread. */
#ifndef BOUNDS_ROWS_H
#define BOUNDS_ROWS_H

#include "graph/eliminations.h"

/* Replace the values as described at the head of this file. Finite values must be within
 * +-WALK_MAX. Return false if a value overflows. Time: O(size of all eliminations). */
bool rows_from(const struct eliminations *graph, int64_t *values);
bool rows_to(const struct eliminations *graph, int64_t *values);

/* Call rows_from for `from` and rows_to for `to`, in one pass over the eliminations. */
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
    int64_t *from, *to;  /* for each thread: bounds from and to the landmark; or NULL */
    int64_t rest_most;   /* greatest absolute value of a finite bound in `from` and `to` */
    size_t *elimination; /* for each thread: index of the elimination that eliminates it */
    bool (*fill)(const struct row_blocks *blocks, uint32_t first, bool to, int64_t *values);
};

/* Prepare the computation of blocks. `graph` must outlive it. *fits becomes false if a bound
 * overflows; the blocks are then useless. Memory: 16 to 24 bytes for each thread. */
csy_status row_blocks_init(struct row_blocks *blocks, const struct eliminations *graph, bool *fits,
                           csy_error *error);
void row_blocks_fini(struct row_blocks *blocks);

/* Compute the rows (row_blocks_from) or columns (row_blocks_to) of threads first, first + 1, ...
 * Lanes after the last thread are WALK_INF. Return false if a value overflows. */
bool row_blocks_from(const struct row_blocks *blocks, uint32_t first, int64_t *values);
bool row_blocks_to(const struct row_blocks *blocks, uint32_t first, int64_t *values);

#endif
