/*
 * Tight constraints: those that a row of the bounds graph keeps with equality, of which its
 * shortest walks are made, each with the records that it comes from.
 *
 * Of a thread a, and with `added` on each, the constraint between e1 of s and e2 of t is tight
 *   from a   where wbar(a,s) + x2 - x1 + added = wbar(a,t);   put(e) = x - wbar(a,thread)
 *   to a     where x2 - x1 + added + wbar(t,a) = wbar(s,a);   put(e) = x + wbar(thread,a)
 * which is put(e1) = put(e2) + added either way, and no put(e1) is greater.
 */
#ifndef BOUNDS_TIGHT_H
#define BOUNDS_TIGHT_H

#include "bounds/bounds.h"
#include "order/sink.h"

enum tight_end { TIGHT_FROM, TIGHT_TO };

struct tight {
    enum tight_end which;
    const struct bound_row *row;
    int64_t added_ticks;
    size_t nthreads;
    struct edge *edges;
    size_t nedges, edges_capacity;
};

/* The row, that of a, must stay. */
void tight_init(struct tight *tight, enum tight_end which, const struct bound_row *row,
                size_t nthreads, int64_t added_ticks);
void tight_fini(struct tight *tight);

/* Takes pairs, of which those that are not tight are dropped at once: LINE_NEIGHBOURS, or where all
 * count LINE_TIGHT.  Of tight ones that of the first records of two threads is kept: 80 bytes each,
 * a few a thread. */
struct sink tight_sink(struct tight *tight);

/* The last event has passed: a shortest walk from one thread to another, one of them a, in as few
 * constraints as there can be; the caller frees *edges.  *n is 0 where there is none. */
csy_status tight_walk(struct tight *tight, uint32_t from, uint32_t to, struct edge **edges,
                      size_t *n, csy_error *error);

#endif
