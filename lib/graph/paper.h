/* The relaxation of the paper ([BHH08] section 4): the Floyd-Warshall algorithm on the
 * immediate-predecessor graph, diagonal 0, k outermost. If a diagonal entry is negative after a
 * complete phase, the lowest such entry, of value -d, stands for a simple cycle: d/2 is added to
 * every constraint, and the closure starts again. See doc/algorithms.md, Paper mode. */
#ifndef GRAPH_PAPER_H
#define GRAPH_PAPER_H

#include "graph/constraints.h"

/* The amount added to every constraint, exactly; the paper's delta is half of it. The denominator
 * at most doubles with every step; CSY_INPUT if it outgrows 64 bits. O(T^3) for each step, 16 T^2
 * bytes; a single closure if the graph is feasible. */
csy_status paper_relax(const struct constraints *c, csy_fraction *added, csy_error *error);

#endif
