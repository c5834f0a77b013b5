/* A minimum spanning tree of the error bounds: what is left of them where all are too many. */
#ifndef BOUNDS_TREE_H
#define BOUNDS_TREE_H

#include "bounds/bounds.h"

#define TREE_ROOT SIZE_MAX

/* parent[t], for each of b->n threads: the neighbour by which the tree holds t, or TREE_ROOT; a
 * tree for each group of threads that are bounded to one another, its first thread the root.  Among
 * equal bounds the first threads are taken.  By Prim: a row of bounds a thread, dense O(T^2), sweep
 * O(T^2 W).  CSY_INPUT where one leaves the range of the arithmetic. */
csy_status tree_find(const struct bounds *b, size_t *parent, csy_error *error);

#endif
