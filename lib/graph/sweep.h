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

/* Begin a sweep. With added_ticks above 0, a carrier stands for all earlier events. Functions
 * return CSY_MEMORY if more than live_max threads have begun and not ended. */
csy_status sweep_new(int64_t added_ticks, size_t live_max, struct sweep **out, csy_error *error);
void sweep_free(struct sweep *sweep);

/* Add the next event. x is its timestamp plus the rough offset of the thread, |x| < X_MAX. Threads
 * are numbered by their first events. *feasible becomes false if a cycle is negative; the sweep is
 * useless afterwards. Time: O(1), or O(W) with a carrier. */
csy_status sweep_event(struct sweep *sweep, uint32_t thread, int64_t x, bool *feasible,
                       csy_error *error);

/* Eliminate a thread after its last event. Time: O(W^2). */
csy_status sweep_ended(struct sweep *sweep, uint32_t thread, bool *feasible, csy_error *error);

/* Eliminate all threads, tau last. If feasible, *out is set and belongs to the caller. */
csy_status sweep_finish(struct sweep *sweep, uint32_t tau, struct eliminations *out, bool *feasible,
                        csy_error *error);

/* Passes the events of a line to a sweep. Events after a contradiction are ignored. */
struct sweep_feed {
    struct sweep *sweep;
    bool feasible;
};

struct sink sweep_sink(struct sweep_feed *feed);

/* Returns true if the thread has had an event and has not been eliminated. */
bool sweep_is_live(const struct sweep *sweep, uint32_t thread);

/* Returns the number of threads that have begun and were not eliminated. */
size_t sweep_live(const struct sweep *sweep);

/* A run: successive events that the sweep processes together, with the same effect as sweep_event
 * for each. Threads are given by slots. A run that is `apart` does not depend on earlier events, so
 * another worker can fill it at the same time. Other runs follow the last event of the sweep. */
struct sweep_run {
    size_t stride;
    bool apart, carries; /* carries: every two events have a constraint, by means of a carrier */
    /* Without a carrier, walks[a * stride + b] is the least time from an event of slot a to a
     * neighbouring event of slot b; unless the run is `apart`, the array is the matrix of the sweep
     * itself. With a carrier, walks[j * stride + a] is the minimum of C[a] + x over the events of
     * slot j, if it has events. */
    int64_t *walks;
    int64_t *carrier; /* for each slot: C of the carrier; the run owns it only if it is `apart` */
    int64_t *least;   /* for each slot: least x of its events, or WALK_INF */
    minplus_carry *carry;
    int64_t *room; /* memory of the run, and its size in entries */
    size_t entries;
};

/* Returns true if a run can follow now. *last and *last_x become the slot and x of the last
 * event. */
bool sweep_may_run(const struct sweep *sweep, uint32_t *last, int64_t *last_x);

/* Returns true if every two events have a constraint, by means of a carrier. */
bool sweep_carries(const struct sweep *sweep);

/* Begin a run. *run must be {0} or an earlier run. Returns false if out of memory. Unless the run
 * is `apart`, only data that births change is read. Time: O(W), or O(W^2) for a run apart. */
bool sweep_run_begin(struct sweep_run *run, const struct sweep *sweep, bool apart);
void sweep_run_fini(struct sweep_run *run);

/* Add the time from an event of slot a to the next event, of slot b. A branch would be slow,
 * because short-lived threads lower most of their walks. */
static inline void sweep_run_step(struct sweep_run *run, uint32_t a, uint32_t b, int64_t ticks)
{
    int64_t *walk = &run->walks[a * run->stride + b], least = *walk;
    *walk = least < ticks ? least : ticks;
}

/* Add the next event to a run with a carrier. Time: O(W). */
static inline void sweep_run_carry(struct sweep_run *run, uint32_t slot, int64_t x)
{
    int64_t *walks = run->walks + slot * run->stride;
    if (run->least[slot] == WALK_INF)
        for (size_t a = 0; a < run->stride; a++)
            walks[a] = WALK_INF;
    run->carry(walks, run->carrier, run->stride, slot, x);
    walk_lower(&run->least[slot], x);
}

/* Process a run. `ends` are the slots and times of its first and last event. If the run is
 * infeasible, the next event reports it. Time: O(1), O(W^2) if apart, O(W) a thread with a
 * carrier. */
void sweep_take_run(struct sweep *sweep, const struct sweep_run *run, const struct ends *ends);

/* Convert a live thread to its slot, and a slot to its thread. */
uint32_t sweep_slot(const struct sweep *sweep, uint32_t thread);
uint32_t sweep_thread(const struct sweep *sweep, uint32_t slot);

#endif
