/* The sweep: exact bounds for the order of one buffer in O(T W^2), for T threads of which W are
 * live at once. See doc/algorithms.md, The sweep.
 *
 * D[a][b] is the shortest walk from a to b over the constraints so far, g[a] - g[b] <= D[a][b], for
 * live threads only. After its last event, a thread is eliminated: the walks through it are added
 * to the rows of the other threads, and its own row and column become its record. The bounds of any
 * thread follow from the records, read backwards. Nothing of size T^2 is ever stored.
 *
 * With exact timestamps, only neighbouring events make constraints. With `added` > 0, every pair of
 * events makes one. The position in the buffer is then one more vertex c, the carrier:
 *    C[a]  walk from a to the carrier: minus the greatest timestamp that a must precede
 *    H[j]  edge from the carrier, as it was at the last elimination, to j
 * For an event of j at x, which may have been as late as hi = x + added:
 *    D[a][j] = min(D[a][j], C[a] + hi) for every live a;
 *    C[j] = min(C[j], -x);  H[j] = min(H[j], hi).
 * The sweep receives the order of one buffer as a line, because its loop already contains the rule
 * of order/line.h. */
#ifndef GRAPH_SWEEP_H
#define GRAPH_SWEEP_H

#include "graph/eliminations.h"
#include "order/sink.h"

#define SWEEP_NONE UINT32_MAX

struct sweep;

/* Begin a sweep. added_ticks >= 0; if above 0, there is a carrier. CSY_MEMORY if more than live_max
 * threads are live at once. */
csy_status sweep_new(int64_t added_ticks, size_t live_max, struct sweep **out, csy_error *error);
void sweep_free(struct sweep *sweep);

/* Add the next event. x is its timestamp shifted by its thread's rough offset, |x| < X_MAX. Threads
 * are numbered by their first events. O(1), with a carrier O(W). *feasible becomes false if a cycle
 * of constraints is negative; the sweep is then useless. */
csy_status sweep_event(struct sweep *sweep, uint32_t thread, int64_t x, bool *feasible,
                       csy_error *error);

/* Eliminate a thread after its last event. O(W^2). */
csy_status sweep_ended(struct sweep *sweep, uint32_t thread, bool *feasible, csy_error *error);

/* Eliminate all threads, tau last. If feasible, *out is written and belongs to the caller. */
csy_status sweep_finish(struct sweep *sweep, uint32_t tau, struct eliminations *out, bool *feasible,
                        csy_error *error);

/* A sweep as a sink for a line. Events after a contradiction are ignored. */
struct sweep_feed {
    struct sweep *sweep;
    bool feasible;
};

struct sink sweep_sink(struct sweep_feed *feed);

/* True if the thread has had an event and has not been eliminated. */
bool sweep_is_live(const struct sweep *sweep, uint32_t thread);

/* The number of live threads. */
size_t sweep_live(const struct sweep *sweep);

/* A run: consecutive events, identified by slots, that the sweep processes together, with the same
 * effect as sweep_event for each. A run that is `apart` does not depend on earlier events, so
 * another worker can fill it at the same time. Other runs begin after the sweep's last event. */
struct sweep_run {
    size_t stride;
    bool apart, carries; /* carries: every pair constrains, through a carrier */
    /* Without a carrier, walks[a * stride + b] is the least time from an event of a to a
     * neighbouring event of b. Unless the run is apart, this is the matrix of the sweep itself.
     * With a carrier, walks[j * stride + a] is the minimum of C[a] + x over the events of j, if
     * there are any. */
    int64_t *walks;
    int64_t *carrier; /* C[a]; the run owns it only if it is apart */
    int64_t *least;   /* least x of each slot's events, or WALK_INF */
    minplus_carry *carry;
    int64_t *room; /* memory of the run, and its size */
    size_t entries;
};

/* True if the sweep can process a run now. *last and *last_x become the slot and x of the last
 * event, which the run follows. */
bool sweep_may_run(const struct sweep *sweep, uint32_t *last, int64_t *last_x);

/* True if every pair of events constrains, through a carrier. */
bool sweep_carries(const struct sweep *sweep);

/* Begin a run. *run must be {0} or have been used before. False if out of memory. Unless the run is
 * apart, only data that births change is read. O(W), or O(W^2) for a run apart. */
bool sweep_run_begin(struct sweep_run *run, const struct sweep *sweep, bool apart);
void sweep_run_fini(struct sweep_run *run);

/* Add the time from an event of a to the next event, of b. There is no branch, because it would be
 * unpredictable: short-lived threads lower most of their walks. */
static inline void sweep_run_step(struct sweep_run *run, uint32_t a, uint32_t b, int64_t ticks)
{
    int64_t *walk = &run->walks[a * run->stride + b], least = *walk;
    *walk = least < ticks ? least : ticks;
}

/* Add the next event with a carrier. O(W). */
static inline void sweep_run_carry(struct sweep_run *run, uint32_t slot, int64_t x)
{
    int64_t *walks = run->walks + slot * run->stride;
    if (run->least[slot] == WALK_INF)
        for (size_t a = 0; a < run->stride; a++)
            walks[a] = WALK_INF;
    run->carry(walks, run->carrier, run->stride, slot, x);
    walk_lower(&run->least[slot], x);
}

/* Process a run. `ends` are its first and last event, by slots. O(1); O(W^2) for a run apart; O(W)
 * with a carrier for each thread. If the run is infeasible, the next event reports it. */
void sweep_take_run(struct sweep *sweep, const struct sweep_run *run, const struct ends *ends);

/* Convert a live thread to its slot, and a slot to its thread. */
uint32_t sweep_slot(const struct sweep *sweep, uint32_t thread);
uint32_t sweep_thread(const struct sweep *sweep, uint32_t slot);

#endif
