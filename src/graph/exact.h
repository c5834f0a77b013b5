/*
 * The sweep over every pair of events with an exact, rational delta, that remembers its walks: the
 * least delta for which the order is feasible, and the witness of it; or the witness of
 * infeasibility at a given delta.  cellsync-model(7), Timestamp imprecision.
 *
 * Entries are (weight, count of 2 delta) and compared at the present 2 delta = p/q in 128-bit
 * integers.  Where a closed walk is negative, its worst simple cycle raises 2 delta to -weight /
 * count, a true lower bound, and the pass goes on.  A pass that raises nothing certifies: repeat
 * until then.
 *
 * A thread without further events is eliminated at once where few are live, else when one more
 * begins: at the end a search for cycles among the entries costs less than eliminations.
 *
 * 20 bytes an entry, where W are live at once W^2 of them; 20 more for each pair of live threads
 * when one of the two is eliminated; 48 for a record that is on a walk.
 */
#ifndef GRAPH_EXACT_H
#define GRAPH_EXACT_H

#include "graph/walks.h"

struct exact {
    csy_fraction twice;   /* 2 delta */
    bool raises;          /* else: stop at the first negative cycle */
    size_t expected;      /* so many may be live at once, to make room for; 0: not known */
    size_t eager_max;     /* so many slots or fewer: eliminate at once */
    bool raised;          /* a negative cycle was met in this pass */
    bool over;            /* and nothing is raised: the pass is over */
    struct edge *witness; /* the cycle that raised last, or stopped */
    size_t nwitness;
    struct exact_matrix *matrix; /* of the pass under way */
};

/* twice: where to begin.  raises: find the least feasible delta from there; else test that one. */
void exact_init(struct exact *exact, csy_fraction twice, bool raises);
void exact_fini(struct exact *exact);

/* Begin a pass over the trace with what the passes before have found; live_max as sweep_new. */
csy_status exact_begin(struct exact *exact, size_t live_max, csy_error *error);

/* The next event; the last event of a thread has passed; the last event of all has.  As
 * sweep_event, sweep_ended and sweep_finish; O(W), O(W^2), and the finish O(W^2) for each round of
 * its search.  Without raises, a pass is over when
 * raised is set. */
csy_status exact_event(struct exact *exact, const struct point *event, csy_error *error);
csy_status exact_ended(struct exact *exact, uint32_t thread, csy_error *error);
csy_status exact_finish(struct exact *exact, csy_error *error);

/* Takes a line; it is over as a pass is. */
struct sink exact_sink(struct exact *exact);

#endif
