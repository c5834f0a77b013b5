/* Finds an order to eliminate vertices (graph/eliminations.h) that keeps the eliminations small.
 * The next vertex is always the one with the fewest neighbours.
 *
 * When a vertex is eliminated, its neighbours become neighbours of each other; they are called the
 * front of the vertex. Only the fronts are stored: this is the quotient graph of P. Amestoy, T.
 * Davis and I. Duff, "An approximate minimum degree ordering algorithm", SIAM J. Matrix Anal. Appl.
 * 17 (1996), here without supervariables. */
#ifndef GRAPH_MINDEGREE_H
#define GRAPH_MINDEGREE_H

#include "graph/reduce.h"

/* The order of elimination. A vertex directly follows the vertices whose parent it is. */
struct mindegree {
    size_t n;
    uint32_t *order; /* numbers of the vertices in the order of elimination */
    uint32_t *at;    /* for each vertex: its position in the order */
    /* Fronts: fronts[first[k]], ..., fronts[first[k + 1] - 1] are the neighbours that the k-th
     * vertex has when it is eliminated. They are positions in the order, descending. */
    size_t *first;
    uint32_t *fronts;
    uint64_t entries, work; /* sum of the sizes of all fronts, and of the squares of these sizes */
    uint64_t cells_most;    /* most matrix cells that graph/eliminate.c holds at once */
    bool cut_short;         /* true if an order would exceed entries_max or work_max */
};

/* Find the order. Vertices with more than 10 sqrt(n) neighbours come last, and then tau. Sets
 * out->cut_short if the order would exceed entries_max or work_max. Time and memory: O(entries). */
csy_status mindegree_find(const struct pairs *pairs, uint32_t tau, uint64_t entries_max,
                          uint64_t work_max, struct mindegree *out, csy_error *error);
void mindegree_fini(struct mindegree *m);

/* Returns the position of the k-th vertex's parent: the vertex of its front that is eliminated
 * first, and gets the front. Returns SIZE_MAX if the front is empty. */
static inline size_t mindegree_parent(const struct mindegree *m, size_t k)
{
    return m->first[k] < m->first[k + 1] ? m->fronts[m->first[k + 1] - 1] : SIZE_MAX;
}

/* Returns the greater front's position if the fronts of the a-th and b-th vertex have the same
 * parent and one contains the other, otherwise SIZE_MAX. */
size_t mindegree_join(const struct mindegree *m, size_t a, size_t b);

#endif
