/* Finds tight constraints, which hold with equality in a row of the bounds graph. The shortest
 * walks of the row consist of them. Each comes with the two records it results from.
 *
 * In the row of thread a, with `added` on each constraint, the constraint between e1 of s and e2 of
 * t is tight
 *
 *    from a  if wbar(a,s) + x2 - x1 + added = wbar(a,t);    put(e) = x - wbar(a,thread)
 *    to a    if x2 - x1 + added + wbar(t,a) = wbar(s,a);    put(e) = x + wbar(thread,a)
 *
 * In both cases this means put(e1) = put(e2) + added, and no put(e1) is greater. */
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

/* Begin to collect tight constraints. `row` belongs to thread a, and must outlive *tight. */
void tight_init(struct tight *tight, enum tight_end which, const struct bound_row *row,
                size_t nthreads, int64_t added_ticks);
void tight_fini(struct tight *tight);

/* Returns a sink for pairs of LINE_NEIGHBOURS, or of LINE_TIGHT if all pairs of records make
 * constraints. Only tight pairs are stored: for each two threads, the pair with the first records.
 * A pair takes 80 bytes, and there are a few pairs for each thread. */
struct sink tight_sink(struct tight *tight);

/* After the last event, find a shortest walk between thread a and another thread, with the fewest
 * constraints. The caller frees *edges. *n is 0 if there is no walk. */
csy_status tight_walk(struct tight *tight, uint32_t from, uint32_t to, struct edge **edges,
                      size_t *n, csy_error *error);

#endif
