/*
 * Bounds -> one offset a thread, [BHH08] eq. (9), floored; threads unbounded on one side are placed
 * after or before the rest.  cellsync-model(7), Integers and Unbounded pairs.
 */
#ifndef SYNC_OFFSETS_H
#define SYNC_OFFSETS_H

#include "graph/dense.h"

/* g[t] relative to g[tau] = 0, between rough offsets; n of them, in g.  Threads outside tau's two-way
 * component are counted in *unbounded.  CSY_INPUT where a pair is unbounded both ways.  O(T^2). */
csy_status offsets_place(const struct dense *d, size_t tau, csy_fraction alpha, int64_t *g,
                         size_t *unbounded, csy_error *error);

#endif
