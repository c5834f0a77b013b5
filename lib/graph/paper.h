/* The relaxation of the paper ([BHH08] section 4), which finds a timestamp error delta at which no
 * constraints contradict each other. It runs the Floyd-Warshall algorithm on the constraints
 * between neighbouring events. If an entry of the diagonal is negative after a phase, the least
 * such entry is the sum -d of a cycle. Then d/2 is added to every constraint, and the algorithm
 * starts again. See doc/algorithms.md, Paper mode. */
#ifndef GRAPH_PAPER_H
#define GRAPH_PAPER_H

#include "graph/constraints.h"

/* Find how much must be added to every constraint: twice the delta of the paper, exactly. Returns
 * CSY_INPUT if the denominator, which each step may double, exceeds 64 bits. Time: O(threads^3) for
 * each step, and a single step if nothing must be added. Memory: 16 bytes for every two threads. */
csy_status paper_relax(const struct constraints *c, csy_fraction *added, csy_error *error);

#endif
