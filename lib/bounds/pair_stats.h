/* Computes tallies over all pairs of threads from eliminations, without visiting each pair. See
 * doc/algorithms.md, Statistics.
 *
 * Two threads have a finite error bound if and only if they are in one connected component. If
 * threads are eliminated in the order of one buffer, a component ends where no thread has records
 * on both sides.
 *
 * One thread of each component is its landmark. The saving of a pair is how much lower the bound
 * between its threads is than the sum of the bounds to and from the landmark. With
 *
 *   r[t] = to[t] + from[t],   to[t] = wbar(t,landmark), from[t] = wbar(landmark,t),
 *
 * where r[t] is called the radius of a thread, the error bound of a pair is
 *
 *   r[s] + r[t] - saving(s,t) - saving(t,s)                    (bounds/pair_stats.c)
 *
 * Savings are 0 except for threads that are close to each other. So a sum of error bounds is a sum
 * of radii minus all savings. The maximum is either the error bound of a close pair, or it follows
 * from the greatest radii of the other threads.
 *
 * One pass backwards over the eliminations computes all of this. It keeps the savings between each
 * thread x that is eliminated later and each thread b that an earlier elimination needs. It also
 * keeps the savings from c, the vertex for the position in the buffer (the carrier of
 * graph/sweep.h). At the elimination of v with neighbours b,
 *
 *   saving(v,x) = max(0, max over b of saving(b,x) - (D[v][b] + to[b] - to[v]),
 *                     saving(c,x) - (C[v] + to[c] - to[v]))
 *   saving(x,v) = max(0, max over b of saving(x,b) - (D[b][v] + from[b] - from[v]))
 *
 * are the rows of v, where D and C are stored in the elimination (graph/eliminations.h). From these
 * rows, the pairs of v with all x are added to the tallies. Then v gets a column: its cells are
 * known from the rows of v, and saving(c,v) follows from saving(c,b) in the same way as
 * saving(x,v). */
#ifndef BOUNDS_PAIR_STATS_H
#define BOUNDS_PAIR_STATS_H

#include "base/progress.h"
#include "bounds/pair_tally.h"
#include "graph/eliminations.h"

/* to[t] is the bound from thread t to the thread `thread`, and from[t] is the bound back. */
struct pair_known {
    uint32_t thread;
    const int64_t *to, *from;
};

struct pair_effort {
    size_t bytes_max; /* greatest memory of each worker for savings */
    unsigned workers;
    const struct pair_known *known;  /* bounds between one thread and all others if the caller knows
                                      * them; may be NULL */
    const struct progress *progress; /* receives reports of progress; may be NULL */
    size_t chunk; /* for tests: least number of eliminations that a worker visits; 0: default */
    /* A worker stops with CSY_MEMORY after it has computed this many savings from other savings. 0:
     * no limit. */
    uint64_t steps_max;
};

/* Compute the tallies of all pairs of graph->nthreads threads. The number of workers has no
 * influence on the result. For T threads, W of them live at once: time O(T W X) and memory O(T + W
 * X). A thread has savings above 0 with X threads. X is a few times W if landmarks have events
 * everywhere in the trace, but may reach T. The tally `live` counts only pairs of threads that are
 * in one elimination. Returns CSY_MEMORY if a worker needs more than bytes_max or steps_max.
 * Returns CSY_INPUT if a bound overflows. */
csy_status pair_stats_gather(const struct eliminations *graph,
                             const struct pair_tally_thread *threads,
                             const struct pair_effort *effort, struct tallies *out,
                             csy_error *error);

#endif
