/*
 * Pairs -> death records (graph/deaths.h), by eliminating one vertex after another, those of least
 * degree first; what asks questions of bounds takes them in any order.
 *
 * Its plan says beforehand what that will take, and whether it pays: sum of degrees (entries) is
 * the memory and the time of a row, sum of their squares (work) the time of eliminating.  Where it
 * does not, rows are made by Dijkstra's algorithm on the pairs (graph/search.h).
 */
#ifndef GRAPH_ELIMINATE_H
#define GRAPH_ELIMINATE_H

#include "graph/deaths.h"
#include "graph/reduce.h"

struct elimination {
    uint32_t *order; /* vertices as they are eliminated, tau last */
    size_t n;
    uint64_t entries, work;
    bool pays;
};

/* An order of least degree, approximately: vertices of more than 10 sqrt(n) neighbours go last, and
 * tau after them.  O(pairs) memory; time a little more than that. */
csy_status eliminate_plan(const struct pairs *pairs, uint32_t tau, struct elimination *out,
                          csy_error *error);
void elimination_fini(struct elimination *plan);

/* Eliminate.  Weights are >= 0: between potentials (mincycle_labels), the added 2 delta included.
 * CSY_INPUT where a walk leaves the range of the arithmetic.  O(work) time, 16 bytes an entry. */
csy_status eliminate_pairs(const struct pairs *pairs, const struct elimination *plan,
                           struct death_records *out, csy_error *error);

#endif
