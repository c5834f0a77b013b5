/*
 * The sweep: exact bounds of a one-line order in O(T W^2) for T threads of which W are live at
 * once.  cellsync-model(7), The sweep.
 *
 * D[a][b] is the shortest walk known from a to b over constraints g[a] - g[b] <= D[a][b], of live
 * threads only.  A thread that has had its last event is eliminated: walks through it are written
 * into the rows of the others, and its own row and column are kept as its death record.  Read
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

#include "graph/deaths.h"
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
csy_status sweep_death(struct sweep *sweep, uint32_t thread, bool *feasible, csy_error *error);

/* The last event of all has passed: all others are eliminated, tau last.  *out is written, and the
 * caller's, where it is feasible. */
csy_status sweep_finish(struct sweep *sweep, uint32_t tau, struct death_records *out,
                        bool *feasible, csy_error *error);

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

/* For fast/lane.h, which constrains neighbours by itself: the matrix, d[slot * stride + slot], and
 * the last event.  *previous is SWEEP_NONE where the next event must go through sweep_event. */
int64_t *sweep_lane_begin(struct sweep *sweep, size_t *stride, uint32_t *previous,
                          int64_t *previous_x);
void sweep_lane_end(struct sweep *sweep, uint32_t previous, int64_t previous_x);

/* For the same with a carrier: what a run of events does, by slots, to be merged into a sweep.  A
 * run that does not know what came before it begins afresh. */
struct sweep_carry {
    size_t stride;
    bool fresh;
    int64_t *carrier; /* C[a], of the run where it is fresh */
    int64_t *least;   /* the least x of j's events, WALK_INF where it has none */
    int64_t *edges; /* edges[j * stride + a]: the least C[a] + x of j's events, where it has any */
};

/* Whether the sweep has a carrier: then its stride and its last event; *previous as above. */
bool sweep_carries(const struct sweep *sweep, size_t *stride, uint32_t *previous,
                   int64_t *previous_x);

/* Room for a run of `stride` slots; false on no memory.  {0} is none; sweep_carry_fini frees it. */
bool sweep_carry_room(struct sweep_carry *carry, size_t stride);
void sweep_carry_fini(struct sweep_carry *carry);

/* Begin a run; sweep: what came before, or NULL.  O(W). */
void sweep_carry_begin(struct sweep_carry *carry, const struct sweep *sweep);

/* The next event.  O(W). */
static inline void sweep_carry_event(struct sweep_carry *carry, uint32_t slot, int64_t x)
{
    int64_t *edges = carry->edges + slot * carry->stride;
    if (carry->least[slot] == WALK_INF)
        for (size_t a = 0; a < carry->stride; a++)
            edges[a] = WALK_INF;
    minplus_row(edges, carry->carrier, x, carry->stride);
    walk_lower(&carry->carrier[slot], -x);
    walk_lower(&carry->least[slot], x);
}

/* As if sweep_event had been called for all events of the run.  O(W) for each thread in it.  What
 * is infeasible then shows with the next event. */
void sweep_carry_merge(struct sweep *sweep, const struct sweep_carry *carry);

/* The slot of a live thread, and the thread in a slot. */
uint32_t sweep_slot(const struct sweep *sweep, uint32_t thread);
uint32_t sweep_thread(const struct sweep *sweep, uint32_t slot);

#endif
