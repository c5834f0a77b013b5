/* Finds an order in which to eliminate vertices (graph/eliminations.h), so that the eliminations
 * are small. The next vertex is always the one with the fewest neighbours.
 *
 * When a vertex is eliminated, its neighbours become neighbours of each other; they are called the
 * front of the vertex. Only the fronts are stored: this is the quotient graph of P. Amestoy, T.
 * Davis and I. Duff, "An approximate minimum degree ordering algorithm", SIAM J. Matrix Anal. Appl.
 * 17 (1996), here without supervariables. */
#ifndef GRAPH_MINDEGREE_H
#define GRAPH_MINDEGREE_H

#include "graph/reduce.h"

/* The order of elimination. Each vertex comes directly after all vertices whose fronts are passed
 * on to it, directly or over other vertices. */
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

/* Find the order of elimination. Vertices with more than 10 sqrt(n) neighbours come last, and the
 * reference clock tau after them. If the order would exceed entries_max or work_max, out->cut_short
 * becomes true. Time and memory: O(entries). */
csy_status mindegree_find(const struct pairs *pairs, uint32_t tau, uint64_t entries_max,
                          uint64_t work_max, struct mindegree *out, csy_error *error);
void mindegree_fini(struct mindegree *m);

/* Returns the position of the vertex to which the front of the k-th vertex is passed on (its
 * parent), or SIZE_MAX if the front is empty. The parent is the vertex of the front that is
 * eliminated first. */
static inline size_t mindegree_parent(const struct mindegree *m, size_t k)
{
    return m->first[k] < m->first[k + 1] ? m->fronts[m->first[k + 1] - 1] : SIZE_MAX;
}

/* Tests whether the fronts of the a-th and the b-th vertex can be merged: both have the same
 * parent, and one front contains the other. Returns the position with the greater front, or
 * SIZE_MAX if they cannot be merged. */
size_t mindegree_join(const struct mindegree *m, size_t a, size_t b);

#endif
