/* The relaxation of the paper ([BHH08] section 4). It runs the Floyd-Warshall algorithm on the
 * immediate-predecessor graph, with a diagonal of 0 and k as the outermost loop. If a diagonal
 * entry is negative after a complete phase, the lowest such entry, with the value -d, stands for a
 * simple cycle. Then d/2 is added to every constraint, and the algorithm starts again. See
 * doc/algorithms.md, Paper mode. */
#ifndef GRAPH_PAPER_H
#define GRAPH_PAPER_H

#include "graph/constraints.h"

/* Find the amount that must be added to every constraint, exactly. The paper's delta is half of
 * this amount. The denominator at most doubles with every step; CSY_INPUT if it exceeds 64 bits.
 * O(T^3) for each step, 16 T^2 bytes. A feasible graph needs a single run. */
csy_status paper_relax(const struct constraints *c, csy_fraction *added, csy_error *error);

#endif
