/* A minimum spanning forest of the error bounds, for graphs with too many bounds to draw. */
#ifndef BOUNDS_TREE_H
#define BOUNDS_TREE_H

#include "bounds/bounds.h"

#define TREE_ROOT SIZE_MAX

/* parent[t], for each of b->n threads, is the neighbour of t in its tree, or TREE_ROOT. Threads
 * bounded to one another form one tree, whose root is its first thread. Among equal bounds the
 * first threads are taken. Prim's algorithm, one row of bounds for each thread: dense O(T^2), sweep
 * O(T^2 W). CSY_INPUT if a bound overflows. */
csy_status tree_find(const struct bounds *b, size_t *parent, csy_error *error);

#endif
