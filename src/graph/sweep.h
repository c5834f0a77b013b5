/*
 * The sweep: exact bounds of a one-line order in O(T W^2) for T threads of which W are live at
 * once.  cellsync-model(7), The sweep.
 *
 * D[a][b] is the shortest walk known from a to b over constraints g[a] - g[b] <= D[a][b], of live
 * threads only.  A thread that has had its last event is eliminated: walks through it are written
 * into the rows of the others, and its own row and column are kept as its record.  Read
 * backwards, the records give the bounds to and from any thread; nothing of size T^2 is ever held.
 *
 * Without imprecision only neighbouring events make constraints.  With `added` > 0 every pair of
 * events does; the buffer position then is one more vertex c, the carrier:
 *   C[a]  walk from a to the carrier: minus the greatest stamp that a has to precede
 *   H[j]  edge from the carrier, as it was at the last elimination, to j
 * An event at x of j, which may have been as late as hi = x + added:
 *   D[a][j] = min(D[a][j], C[a] + hi) for every live a;
 *   C[j] = min(C[j], -x);  H[j] = min(H[j], hi).
 * So the sweep takes the order of one buffer as a line, and has the rule of order/line.h in its
 * loop.
 */
#ifndef GRAPH_SWEEP_H
#define GRAPH_SWEEP_H

#include "graph/eliminations.h"
#include "order/sink.h"

#define SWEEP_NONE UINT32_MAX

struct sweep;

/* Begin.  added_ticks >= 0, with a carrier where it is above 0; live_max: more threads live at once
 * are refused (CSY_MEMORY). */
csy_status sweep_new(int64_t added_ticks, size_t live_max, struct sweep **out, csy_error *error);
void sweep_free(struct sweep *sweep);

/* The next event: x is its stamp moved by its thread's rough offset, |x| < X_MAX.  Threads are
 * numbered in the order of their first events.  O(1), with a carrier O(W).  *feasible becomes false
 * where a cycle of constraints is negative; the sweep is of no more use then. */
csy_status sweep_event(struct sweep *sweep, uint32_t thread, int64_t x, bool *feasible,
                       csy_error *error);

/* The last event of this thread has passed.  O(W^2). */
csy_status sweep_ended(struct sweep *sweep, uint32_t thread, bool *feasible, csy_error *error);

/* The last event of all has passed: all others are eliminated, tau last.  *out is written, and the
 * caller's, where it is feasible. */
csy_status sweep_finish(struct sweep *sweep, uint32_t tau, struct eliminations *out, bool *feasible,
                        csy_error *error);

/* A sweep that takes a line; once it is not feasible, events only pass. */
struct sweep_feed {
    struct sweep *sweep;
    bool feasible;
};

struct sink sweep_sink(struct sweep_feed *feed);

/* Whether the thread has had an event and was not eliminated. */
bool sweep_is_live(const struct sweep *sweep, uint32_t thread);

/* How many threads are live. */
size_t sweep_live(const struct sweep *sweep);

/* A run: events next to one another, by slots, which the sweep takes together, as if sweep_event
 * had been called for each of them.  A run apart knows nothing of what came before it, so that
 * another worker can fill it meanwhile; else it begins after the sweep's last event. */
struct sweep_run {
    size_t stride;
    bool apart, carries; /* carries: with a carrier, every pair constrains */
    /* Without a carrier walks[a * stride + b] is the least time from an event of a to a neighbour
     * of b, the sweep's own matrix unless apart; with one walks[j * stride + a] is the least
     * C[a] + x of j's events, where it has any: */
    int64_t *walks;
    int64_t *carrier; /* C[a]; where the run is apart its own alone */
    int64_t *least;   /* the least x of j's events; WALK_INF: it has none */
    minplus_carry *carry;
    int64_t *room; /* what the run owns, and how much that is */
    size_t entries;
};

/* Whether the sweep takes a run now: the last event, which must be there, goes to *last. */
bool sweep_may_run(const struct sweep *sweep, uint32_t *last, int64_t *last_x);

/* Whether every pair of events constrains, by a carrier. */
bool sweep_carries(const struct sweep *sweep);

/* Begin a run, {0} or one that was begun before; false on no memory.  sweep_run_fini frees it.  Of
 * the sweep, what only births change is read, unless apart.  O(W), apart O(W^2). */
bool sweep_run_begin(struct sweep_run *run, const struct sweep *sweep, bool apart);
void sweep_run_fini(struct sweep_run *run);

/* Neighbours: the time from an event of a to the next one, of b.  Short lives lower most of their
 * walks: no branch, which could only be guessed. */
static inline void sweep_run_step(struct sweep_run *run, uint32_t a, uint32_t b, int64_t ticks)
{
    int64_t *walk = &run->walks[a * run->stride + b], least = *walk;
    *walk = least < ticks ? least : ticks;
}

/* With a carrier: the next event.  O(W). */
static inline void sweep_run_carry(struct sweep_run *run, uint32_t slot, int64_t x)
{
    int64_t *walks = run->walks + slot * run->stride;
    if (run->least[slot] == WALK_INF)
        for (size_t a = 0; a < run->stride; a++)
            walks[a] = WALK_INF;
    run->carry(walks, run->carrier, run->stride, slot, x);
    walk_lower(&run->least[slot], x);
}

/* Take a run that has events; ends: its first and last, by slots.  O(1); apart O(W^2); with a
 * carrier O(W) for each thread in it.  What is infeasible then shows with the next event. */
void sweep_take_run(struct sweep *sweep, const struct sweep_run *run, const struct ends *ends);

/* The slot of a live thread, and the thread in a slot. */
uint32_t sweep_slot(const struct sweep *sweep, uint32_t thread);
uint32_t sweep_thread(const struct sweep *sweep, uint32_t slot);

#endif
