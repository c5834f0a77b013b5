/* Converts pairs of clocks (graph/reduce.h) to eliminations (graph/eliminations.h), and finds an
 * order that makes them small: the next vertex is always the one with the fewest neighbours.
 *
 * To eliminate a vertex means to remove it and to replace the paths through it by edges between its
 * neighbours. The neighbours that a vertex has at this moment are its front. They become neighbours
 * of each other. Only the fronts are stored: this is the quotient graph of P. Amestoy, T. Davis and
 * I. Duff, "An approximate minimum degree ordering algorithm", SIAM J. Matrix Anal. Appl. 17
 * (1996), here without supervariables.
 *
 * The elimination needs a matrix with the lengths of the shortest paths between the vertices of the
 * front and the eliminated vertex. It is made of the matrices that earlier eliminations have left,
 * and of the vertex's own pairs. This is the multifrontal method of I. Duff and J. Reid, 1983, with
 * lengths of shortest paths instead of numbers. */
#ifndef GRAPH_ELIMINATE_H
#define GRAPH_ELIMINATE_H

#include "graph/eliminations.h"
#include "graph/reduce.h"

/* The order of elimination. A vertex directly follows its children. */
struct mindegree {
    size_t n;
    uint32_t *order; /* numbers of the vertices in the order of elimination */
    uint32_t *at;    /* for each vertex: its position in the order */
    /* fronts[first[k]], ..., fronts[first[k + 1] - 1] are the neighbours that the vertex order[k]
     * has when it is eliminated. They are given by their positions in `order`, in descending
     * order. */
    size_t *first;
    uint32_t *fronts;
    uint64_t entries, work; /* entries: sum of the sizes of all fronts; work: sum of the squares of
                             * these sizes */
    uint64_t cells_most;    /* greatest number of matrix entries that eliminate_pairs stores at the
                             * same time */
    bool cut_short;         /* true if mindegree_find has given up because of entries_max or
                             * work_max */
};

/* Find an order of elimination that keeps fronts small. Vertices with more than 10 sqrt(n)
 * neighbours come last, and after them the reference clock tau. Gives up, and sets out->cut_short,
 * if out->entries exceeds entries_max or out->work exceeds work_max. Time and memory:
 * O(entries). */
csy_status mindegree_find(const struct pairs *pairs, uint32_t tau, uint64_t entries_max,
                          uint64_t work_max, struct mindegree *out, csy_error *error);
void mindegree_fini(struct mindegree *m);

/* Eliminate all vertices in this order. weight[i] is the weight of pair i; all weights must be >=
 * 0, which labels from mincycle_labels can achieve. Hubs (groups of points, graph/reduce.h) are
 * threads after the clocks in the result. Returns CSY_INPUT on overflow. Time: O(order->work).
 * Memory: 20 bytes for each of order->entries, and 8 for each of order->cells_most. */
csy_status eliminate_pairs(const struct pairs *pairs, const int64_t *weight,
                           const struct mindegree *order, struct eliminations *out,
                           csy_error *error);

#endif
