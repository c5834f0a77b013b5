/*
 * Tight constraints: those that a row of the bounds graph keeps with equality, of which its
 * shortest walks are made, each with the records that it comes from.
 *
 * Of a thread a, and with `added` on each, the constraint between e1 of s and e2 of t is tight
 *   from a   where wbar(a,s) + x2 - x1 + added = wbar(a,t);   place(e) = x - wbar(a,thread)
 *   to a     where x2 - x1 + added + wbar(t,a) = wbar(s,a);   place(e) = x + wbar(thread,a)
 * which is place(e1) = place(e2) + added either way, and no place(e1) is greater.  e1 stands
 * immediately before e2, or with all_pairs anywhere before it: then the greatest place so far
 * stands for all e1.
 */
#ifndef GRAPH_TIGHT_H
#define GRAPH_TIGHT_H

#include "graph/bounds.h"
#include "graph/walks.h"

enum tight_end { TIGHT_FROM, TIGHT_TO };

struct tight_thread {
    uint64_t led;        /* the last reign in which it was among the leaders */
    uint64_t met;        /* the last reign whose leaders it stands tight behind, */
    size_t met_nleaders; /* and how many of them */
};

struct tight {
    enum tight_end which;
    const struct bound_row *row;
    int64_t added_ticks;
    bool all_pairs;
    size_t nthreads;
    struct tight_thread *threads;
    struct walk_point *leaders; /* whose place is the greatest, or the last event */
    size_t nleaders, leaders_capacity;
    int64_t greatest;
    uint64_t reign; /* counts changes of the greatest */
    struct walk_edge *edges;
    size_t nedges, edges_capacity;
};

/* The row, that of a, must stay.  The caller calls tight_fini even after a failure. */
csy_status tight_init(struct tight *tight, enum tight_end which, const struct bound_row *row,
                      size_t nthreads, int64_t added_ticks, bool all_pairs, csy_error *error);
void tight_fini(struct tight *tight);

/* The next event in buffer order.  O(1) but for ties of leaders, and for tight constraints, of
 * which each pair of threads is kept once, that of its first records: 80 bytes each, a few a
 * thread. */
csy_status tight_event(struct tight *tight, const struct walk_point *event, csy_error *error);

/* The last event has passed: a shortest walk from one thread to another, one of them a, in as few
 * constraints as there can be; the caller frees *edges.  *n is 0 where there is none. */
csy_status tight_walk(struct tight *tight, uint32_t from, uint32_t to, struct walk_edge **edges,
                      size_t *n, csy_error *error);

#endif
