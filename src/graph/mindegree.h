/*
 * An order of elimination that keeps fronts small: the vertex of least degree next, by the quotient
 * graph of P. Amestoy, T. Davis and I. Duff, "An approximate minimum degree ordering algorithm",
 * SIAM J. Matrix Anal. Appl. 17 (1996), without their supervariables.
 *
 * When a vertex is eliminated its neighbours become neighbours of one another: its front.  No more
 * than the fronts is held.
 */
#ifndef GRAPH_MINDEGREE_H
#define GRAPH_MINDEGREE_H

#include "graph/reduce.h"

/* Each vertex once, in the order of elimination, in which all that hand their front on to a vertex
 * come right before it, each after those of its own. */
struct mindegree {
    size_t n;
    uint32_t *order; /* vertices */
    uint32_t *at;    /* by vertex: where it is in the order */
    size_t *first;   /* fronts[first[k] ... first[k + 1] - 1]: neighbours of the k-th when it is
                         eliminated, as places in the order, from the last to the first */
    uint32_t *fronts;
    uint64_t entries, work; /* sums of sizes of fronts, and of their squares */
    uint64_t cells_most;    /* cells of matrices of fronts that are held at once, at most */
    bool cut_short;         /* one of the limits was passed: there is no order */
};

/* Vertices of more than 10 sqrt(n) neighbours go last, and tau after them.  O(entries) time and
 * memory. */
csy_status mindegree_find(const struct pairs *pairs, uint32_t tau, uint64_t entries_max,
                          uint64_t work_max, struct mindegree *out, csy_error *error);
void mindegree_fini(struct mindegree *m);

/* The place of the vertex to which the k-th hands its front on, the first of it to go; SIZE_MAX
 * where the front is empty. */
static inline size_t mindegree_parent(const struct mindegree *m, size_t k)
{
    return m->first[k] < m->first[k + 1] ? m->fronts[m->first[k + 1] - 1] : SIZE_MAX;
}

/* The fronts of the a-th and the b-th, which wait for their parents: where these are one and the
 * same, and one front has all of the other, they become one, that of the vertex returned; else
 * SIZE_MAX. */
size_t mindegree_join(const struct mindegree *m, size_t a, size_t b);

#endif
