/* An order of elimination that keeps fronts small. The next vertex is always the one of minimum
 * degree, found with the quotient graph of P. Amestoy, T. Davis and I. Duff, "An approximate
 * minimum degree ordering algorithm", SIAM J. Matrix Anal. Appl. 17 (1996), without supervariables.
 *
 * When a vertex is eliminated, its neighbours, which are called its front, become neighbours of
 * each other. Only the fronts are stored. */
#ifndef GRAPH_MINDEGREE_H
#define GRAPH_MINDEGREE_H

#include "graph/reduce.h"

/* The order of elimination. Vertices that pass their fronts on to a vertex v come right before v.
 * They themselves come after the vertices that pass fronts on to them. */
struct mindegree {
    size_t n;
    uint32_t *order; /* vertices in the order of elimination */
    uint32_t *at;    /* for each vertex: its position in the order */
    /* fronts[first[k] ... first[k + 1] - 1] are the neighbours of the k-th vertex when it is
     * eliminated, as positions in descending order */
    size_t *first;
    uint32_t *fronts;
    uint64_t entries, work; /* sums of the sizes of fronts, and of the squares of these sizes */
    uint64_t cells_most;    /* greatest number of matrix cells held at once */
    bool cut_short;         /* true if no order was found, because it would exceed a limit */
};

/* Find the order. Vertices with more than 10 sqrt(n) neighbours come last, followed by tau. Time
 * and memory: O(entries). */
csy_status mindegree_find(const struct pairs *pairs, uint32_t tau, uint64_t entries_max,
                          uint64_t work_max, struct mindegree *out, csy_error *error);
void mindegree_fini(struct mindegree *m);

/* Returns the position of the parent of the k-th vertex, to which its front is passed on. The
 * parent is the vertex of the front that is eliminated first. SIZE_MAX stands for an empty
 * front. */
static inline size_t mindegree_parent(const struct mindegree *m, size_t k)
{
    return m->first[k] < m->first[k + 1] ? m->fronts[m->first[k + 1] - 1] : SIZE_MAX;
}

/* Join the waiting fronts of the a-th and the b-th vertex if both have one parent and one front
 * contains the other. Returns the vertex of the joint front, or SIZE_MAX. */
size_t mindegree_join(const struct mindegree *m, size_t a, size_t b);

#endif
