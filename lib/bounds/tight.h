/* Finds tight constraints: those that determine a bound. The shortest paths from or to a thread
 * consist of them. Each is stored with the two records it results from.
 *
 * A constraint results from record e1 of thread s and a later record e2 of thread t with the times
 * x1 and x2 (order/rebase.h). `added` is twice the timestamp error. In the row of thread a of the
 * bounds graph (bounds/bounds.h), the constraint is tight
 *
 *    from a  if wbar(a,s) + x2 - x1 + added = wbar(a,t);    put(e) = x - wbar(a,thread)
 *    to a    if x2 - x1 + added + wbar(t,a) = wbar(s,a);    put(e) = x + wbar(thread,a)
 *
 * In both cases this means put(e1) = put(e2) + added, where x and `thread` are the time and the
 * thread of record e. In no constraint is put(e1) greater than put(e2) + added. */
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

/* Begin to collect the constraints that determine the bounds in `row`: the bounds from a thread to
 * all others (TIGHT_FROM), or the bounds from all others to this thread (TIGHT_TO). `row` must
 * outlive *tight. */
void tight_init(struct tight *tight, enum tight_end which, const struct bound_row *row,
                size_t nthreads, int64_t added_ticks);
void tight_fini(struct tight *tight);

/* Returns a receiver of pairs of records (order/sink.h). If a pair is a constraint that determines
 * a bound, it is stored, but only one constraint for each pair of threads. Give it the pairs of
 * LINE_NEIGHBOURS, or of LINE_TIGHT if all pairs of records make constraints. Memory: 80 bytes for
 * each stored constraint, usually a few for each thread. */
struct sink tight_sink(struct tight *tight);

/* Find a shortest path from thread `from` to thread `to`, with as few constraints as possible. One
 * of both threads must be the thread of `row`. Call this after the last event. *edges becomes the
 * constraints of the path in order; the caller frees it. *n is 0 if there is no path. */
csy_status tight_walk(struct tight *tight, uint32_t from, uint32_t to, struct edge **edges,
                      size_t *n, csy_error *error);

#endif
