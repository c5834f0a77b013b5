/*
 * The paper's relaxation ([BHH08] section 4): Floyd and Warshall's algorithm on the
 * immediate-predecessor graph, diagonal 0, k outermost.  When a diagonal entry is negative after a
 * complete phase, the lowest such i and its value -d stand for a simple cycle: d/2 is added to
 * every constraint and the closure starts again.  cellsync-model(7), Paper mode.
 */
#ifndef GRAPH_PAPER_H
#define GRAPH_PAPER_H

#include "graph/constraints.h"

/* What the procedure adds to every constraint, exactly (its delta is half of that).  The fraction's
 * denominator doubles at every step at the most; CSY_INPUT when it outgrows 64 bits.
 * O(T^3) a step, 16 T^2 bytes; nothing but one closure for a feasible graph. */
csy_status paper_relax(const struct constraints *c, csy_fraction *added, csy_error *error);

#endif
