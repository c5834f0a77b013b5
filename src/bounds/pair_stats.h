/*
 * Tallies over all pairs of threads, out of eliminations, without visiting every pair.
 * cellsync-model(7), Statistics.
 *
 * Threads fall into components, those that reach one another.  In the order of one buffer they are
 * runs of threads, in the order of their first records, between places that no thread has records
 * on both sides of.  Two threads are bounded both ways where they are of one component.  With one
 * thread of each as its landmark and the radius
 *   r[t] = to[t] + from[t],   to[t] = wbar(t,landmark), from[t] = wbar(landmark,t),
 * the error bound of a pair is
 *   r[s] + r[t] - saving(s,t) - saving(t,s)                    (bounds/pair_walk.h)
 * where the savings are 0 but for pairs that are close: sums are those of r less the savings there
 * are, and the greatest is one between close pairs or of the greatest r among the others.
 *
 * All that takes one walk over the eliminations backwards, keeping the savings of walks between
 * those that an earlier elimination will ask for, or the carrier c, and all x that are eliminated
 * later.  At the elimination of v, among b:
 *   saving(v,x) = max(0, max over b of saving(b,x) - (D[v][b] + to[b] - to[v]),
 *                        saving(c,x) - (C[v] + to[c] - to[v]))
 *   saving(x,v) = max(0, max over b of saving(x,b) - (D[b][v] + from[b] - from[v]))
 * give v its rows, and the tallies its pairs with all x; then it becomes an x itself: what it is to
 * all that are kept is in its own rows, and saving(c,v) follows from saving(c,b) as saving(x,v)
 * does.
 */
#ifndef BOUNDS_PAIR_STATS_H
#define BOUNDS_PAIR_STATS_H

#include "base/progress.h"
#include "bounds/pair_tally.h"
#include "graph/eliminations.h"

/* Walks between all threads and one of them, by thread: wbar(t,thread), wbar(thread,t). */
struct pair_known {
    uint32_t thread;
    const int64_t *to, *from;
};

/* What gathering may take, and what spares it some of that. */
struct pair_effort {
    size_t bytes_max; /* of savings */
    unsigned workers;
    const struct pair_known *known;  /* or NULL */
    const struct progress *progress; /* or NULL */
    size_t chunk;       /* so many eliminations are not divided; 0: as many as are worth while */
    uint64_t steps_max; /* a walk takes, each a saving by way of a neighbour; 0: any number */
};

/* The tallies of graph->nthreads threads; of those that are live together only neighbours count,
 * which in the order of one buffer they all are.  O(T W X) time and O(T + W X) memory, for X
 * threads that some live one's walks save something to: a few times W where landmarks have events
 * often, up to T where they are silent.  Workers share that where the one landmark is the known
 * thread, in the order of one buffer without a carrier (bounds/pair_walk.h); tallies do not depend
 * on how many they are.  CSY_MEMORY where the savings would take more than bytes_max, with each
 * worker, or more than steps_max steps; with a steps_max other than 0 as soon as that is to be
 * expected; CSY_INPUT where a bound leaves the range of the
 * arithmetic. */
csy_status pair_stats_gather(const struct eliminations *graph,
                             const struct pair_tally_thread *threads,
                             const struct pair_effort *effort, struct tallies *out,
                             csy_error *error);

#endif
