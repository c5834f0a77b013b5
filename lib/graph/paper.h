/* The relaxation of the paper ([BHH08] section 4). It runs the Floyd-Warshall algorithm on the
 * immediate-predecessor graph, with a diagonal of 0 and k as the outermost loop. If a diagonal
 * entry is negative after a complete phase, the lowest such entry, -d, stands for a simple cycle.
 * Then d/2 is added to every constraint, and the algorithm starts again. See doc/algorithms.md,
 * Paper mode. */
#ifndef GRAPH_PAPER_H
#define GRAPH_PAPER_H

#include "graph/constraints.h"

/* Find, exactly, how much must be added to every constraint; this is twice the delta of the paper.
 * Each step at most doubles the denominator. Returns CSY_INPUT if it exceeds 64 bits. Time: O(T^3)
 * for each step, and one step for a feasible graph. Memory: 16 T^2 bytes. */
csy_status paper_relax(const struct constraints *c, csy_fraction *added, csy_error *error);

#endif
