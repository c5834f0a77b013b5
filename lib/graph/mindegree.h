/* An order of elimination that keeps fronts small. The next vertex is always the one of minimum
 * degree, found with the quotient graph of P. Amestoy, T. Davis and I. Duff, "An approximate
 * minimum degree ordering algorithm", SIAM J. Matrix Anal. Appl. 17 (1996), without supervariables.
 *
 * When a vertex is eliminated, its neighbours, which are called its front, become neighbours of
 * each other. Only the fronts are stored. */
#ifndef GRAPH_MINDEGREE_H
#define GRAPH_MINDEGREE_H

#include "graph/reduce.h"

/* The order of elimination. The vertices that pass their fronts on to a vertex v come right before
 * v, each after the vertices that pass their fronts on to it. */
struct mindegree {
    size_t n;
    uint32_t *order; /* vertices */
    uint32_t *at;    /* place of each vertex in the order */
    size_t *first;   /* fronts[first[k] ... first[k + 1] - 1] are the neighbours of the k-th vertex
                      * when it is eliminated, as descending places */
    uint32_t *fronts;
    uint64_t entries, work; /* sums of sizes of fronts, and of their squares */
    uint64_t cells_most;    /* most cells of fronts held at once */
    bool cut_short;         /* there is no order, since it would exceed a limit */
};

/* Find the order. Vertices with more than 10 sqrt(n) neighbours come last, followed by tau.
 * O(entries) time and memory. */
csy_status mindegree_find(const struct pairs *pairs, uint32_t tau, uint64_t entries_max,
                          uint64_t work_max, struct mindegree *out, csy_error *error);
void mindegree_fini(struct mindegree *m);

/* The place of the parent of the k-th vertex: the vertex that gets its front, which is the vertex
 * of the front that is eliminated first. SIZE_MAX if the front is empty. */
static inline size_t mindegree_parent(const struct mindegree *m, size_t k)
{
    return m->first[k] < m->first[k + 1] ? m->fronts[m->first[k + 1] - 1] : SIZE_MAX;
}

/* If the waiting fronts of vertices a and b in the order have one parent, and one front contains
 * the other, they can become one. Returns the vertex of the joint front, or SIZE_MAX. */
size_t mindegree_join(const struct mindegree *m, size_t a, size_t b);

#endif
