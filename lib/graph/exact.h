/* The sweep over every pair of events, with an exact, rational delta. It remembers its walks, so it
 * can return a witness. It finds the least delta for which the order is feasible, with the witness
 * of this delta; or it tests a given delta, with a witness if that is infeasible. See
 * doc/algorithms.md, The least delta.
 *
 * An entry is (weight, number of times that 2 delta was added). Entries are compared at the present
 * 2 delta = p/q in 128-bit integers. If a closed walk is negative, its worst simple cycle raises 2
 * delta to -weight / count, which is a lower bound, and the pass goes on. Passes are repeated until
 * one raises nothing; this proves the result.
 *
 * A thread without further events is eliminated at once if few threads are live, and otherwise when
 * another thread begins. At the end, cycles are searched among the remaining entries, which costs
 * less than eliminations.
 *
 * Memory: 20 bytes for each of W^2 entries if W threads are live at once, 20 bytes for each live
 * thread at an elimination, and 48 bytes for each record on a walk. */
#ifndef GRAPH_EXACT_H
#define GRAPH_EXACT_H

#include "graph/walks.h"

struct exact {
    csy_fraction twice;   /* the present 2 delta */
    bool raises;          /* false: the pass stops at the first negative cycle */
    size_t expected;      /* expected number of threads that have begun and not ended; 0: unknown */
    size_t eager_max;     /* greatest number of slots for which threads are eliminated at once */
    bool raised;          /* the present pass had a negative cycle */
    bool over;            /* the pass has ended early, because `raises` is false */
    struct edge *witness; /* the cycle that raised 2 delta last, or that stopped the pass */
    size_t nwitness;
    struct exact_matrix *matrix; /* matrix of the present pass */
};

/* Begin with the given 2 delta. If `raises` is true, find the least feasible 2 delta from this
 * value on; otherwise test this value only. */
void exact_init(struct exact *exact, csy_fraction twice, bool raises);
void exact_fini(struct exact *exact);

/* Begin a pass with the result of earlier passes. The parameter live_max is as for sweep_new. */
csy_status exact_begin(struct exact *exact, size_t live_max, csy_error *error);

/* Like sweep_event, sweep_ended, and sweep_finish. `engine` is a struct exact. Unless `raises` is
 * true, a pass is over once `raised` is set. Time: O(W), O(W^2), and O(W^2) for each round. */
csy_status exact_event(void *engine, const struct point *event, csy_error *error);
csy_status exact_ended(void *engine, uint32_t thread, csy_error *error);
csy_status exact_finish(struct exact *exact, csy_error *error);

/* Returns a sink for the events of a line. The sink is over when the pass is over. */
struct sink exact_sink(struct exact *exact);

#endif
