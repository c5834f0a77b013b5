/* Computes tallies over all pairs of threads from eliminations, without visiting each pair. See
 * doc/algorithms.md, Statistics.
 *
 * Threads form connected components. In the order of one buffer, components are runs of threads in
 * the order of first records; a component ends where no thread has records on both sides. Two
 * threads are bounded on both sides if and only if they are in one component.
 *
 * One thread of each component is its landmark. The saving of a pair is how much shorter the walk
 * between its threads is than the walk through the landmark. With the radius
 *
 *   r[t] = to[t] + from[t],   to[t] = wbar(t,landmark), from[t] = wbar(landmark,t),
 *
 * the error bound of a pair is
 *
 *   r[s] + r[t] - saving(s,t) - saving(t,s)                    (bounds/pair_stats.c)
 *
 * Savings are 0 except for close pairs. So a sum of error bounds is a sum of radii minus all
 * savings. The maximum is either the error bound of a close pair, or it follows from the greatest
 * radii of the other threads.
 *
 * One pass backwards over the eliminations computes all of this. It keeps the savings between each
 * thread b that an earlier elimination needs (or the carrier c) and each thread x that is
 * eliminated later. At the elimination of v with neighbours b,
 *
 *   saving(v,x) = max(0, max over b of saving(b,x) - (D[v][b] + to[b] - to[v]),
 *                     saving(c,x) - (C[v] + to[c] - to[v]))
 *   saving(x,v) = max(0, max over b of saving(x,b) - (D[b][v] + from[b] - from[v]))
 *
 * are the rows of v. From these rows, the pairs of v with all x are added to the tallies. Then v
 * becomes an x: its column is already in its own rows, and saving(c,v) follows from saving(c,b) as
 * saving(x,v) does. */
#ifndef BOUNDS_PAIR_STATS_H
#define BOUNDS_PAIR_STATS_H

#include "base/progress.h"
#include "bounds/pair_tally.h"
#include "graph/eliminations.h"

/* Known walks between each thread t and the member `thread`: wbar(t,thread) and wbar(thread,t). */
struct pair_known {
    uint32_t thread;
    const int64_t *to, *from;
};

/* Limits of the computation, and known walks that make it faster. */
struct pair_effort {
    size_t bytes_max; /* greatest memory for savings, in bytes */
    unsigned workers;
    const struct pair_known *known;  /* may be NULL */
    const struct progress *progress; /* may be NULL */
    size_t chunk; /* least number of eliminations in a part; 0: a suitable number */
    /* greatest number of steps in each pass over the eliminations; 0: no limit. A step is one
     * saving through one neighbour. */
    uint64_t steps_max;
};

/* Compute the tallies of graph->nthreads threads. Among the pairs that are live together, only
 * neighbours count; in the order of one buffer, all of them are neighbours.
 *
 * Takes O(T W X) time and O(T + W X) memory, where X is the number of threads for which the walks
 * of a live thread have savings: a few times W if landmarks have frequent events, up to T if they
 * have few. Several workers divide the pass if the order is that of one buffer without a carrier,
 * and the known thread is the only landmark. Tallies do not depend on the number of workers.
 * CSY_MEMORY if the savings need more than bytes_max for each worker, or more than steps_max steps;
 * if steps_max is not 0, as soon as that is foreseeable. CSY_INPUT if a bound overflows. */
csy_status pair_stats_gather(const struct eliminations *graph,
                             const struct pair_tally_thread *threads,
                             const struct pair_effort *effort, struct tallies *out,
                             csy_error *error);

#endif
