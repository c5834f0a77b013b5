/* The sweep: computes exact bounds from the order of one buffer in O(T W^2) time, for T threads of
 * which W are live (have begun, and are not eliminated) at once. See doc/algorithms.md, The sweep.
 *
 * Let g be the offsets of threads. A matrix has the limits g[a] - g[b] <= D[a][b] that follow from
 * the constraints so far; D[a][b] is also the length of the shortest path ("walk") from a to b. The
 * matrix is for live threads only. After its last event, a thread is eliminated (removed): walks
 * through it replace longer walks between other threads, and its own row and column are stored as
 * an elimination. The bounds of all threads follow from the eliminations, read backwards.
 *
 * With exact timestamps, only neighbouring events make constraints. If `added` > 0, every two
 * events make one. The position in the buffer is then another vertex c, called the carrier:
 *    C[a]  walk from a to the carrier: minus the greatest time of an event of a
 *    H[j]  edge from the carrier, as it was at the last elimination, to j
 * An event of j at time x may have been as late as hi = x + added. It changes these numbers:
 *    D[a][j] = min(D[a][j], C[a] + hi) for every live a;
 *    C[j] = min(C[j], -x);  H[j] = min(H[j], hi).
 *
 * The sweep receives the events of the buffer themselves instead of pairs of events. */
#ifndef GRAPH_SWEEP_H
#define GRAPH_SWEEP_H

#include "graph/eliminations.h"
#include "order/sink.h"

#define SWEEP_NONE UINT32_MAX

struct sweep;

/* Begin a sweep. If added_ticks > 0, every two events make a constraint, with the vertex c above.
 * The functions below return CSY_MEMORY if more than live_max threads are live at once. */
csy_status sweep_new(int64_t added_ticks, size_t live_max, struct sweep **out, csy_error *error);
void sweep_free(struct sweep *sweep);

/* Add the next event of the buffer. x is its time (order/rebase.h), |x| < X_MAX. Threads are
 * numbered in the order of their first events. If constraints contradict each other, *feasible is
 * set to false, and the sweep must not be used further. O(1), or O(live threads) with C and H. */
csy_status sweep_event(struct sweep *sweep, uint32_t thread, int64_t x, bool *feasible,
                       csy_error *error);

/* Eliminate a thread after its last event. Time: O(live threads^2). */
csy_status sweep_ended(struct sweep *sweep, uint32_t thread, bool *feasible, csy_error *error);

/* Eliminate the remaining threads, the reference clock tau last. *out becomes the eliminations,
 * which belong to the caller, unless constraints contradict each other (*feasible). */
csy_status sweep_finish(struct sweep *sweep, uint32_t tau, struct eliminations *out, bool *feasible,
                        csy_error *error);

/* Passes the events of one buffer to `sweep` until `feasible` becomes false. */
struct sweep_feed {
    struct sweep *sweep;
    bool feasible;
};

struct sink sweep_sink(struct sweep_feed *feed);

/* Returns true if the thread has had its first event and was not eliminated. */
bool sweep_is_live(const struct sweep *sweep, uint32_t thread);

size_t sweep_live(const struct sweep *sweep);

/* A run: successive events that are collected, and then added together as if by sweep_event. If
 * `apart` is true, the run needs no earlier events, so another worker can collect it. Otherwise it
 * begins directly after the last event. */
struct sweep_run {
    size_t stride;
    bool apart, carries; /* carries: true if every two events make a constraint */
    /* The constraints of the run. If `carries`, walks[j * stride + a] is the minimum of C[a] + x
     * over the events of slot j, if any. Otherwise walks[a * stride + b] is the least time from an
     * event of slot a to a directly following event of slot b; unless `apart`, this is the matrix
     * of the sweep itself. */
    int64_t *walks;
    int64_t *carrier; /* for each slot: C; owned by the run only if `apart` */
    int64_t *least;   /* for each slot: least time x of its events, or WALK_INF if it has none */
    minplus_carry *carry;
    int64_t *room; /* memory of the run: an array of `entries` entries */
    size_t entries;
};

/* Returns true if a run may begin now. Sets the slot and the time x of the event before the run. */
bool sweep_may_run(const struct sweep *sweep, uint32_t *last, int64_t *last_x);

/* Returns true if every two events make a constraint (added_ticks > 0). */
bool sweep_carries(const struct sweep *sweep);

/* Begin a run; *run must be {0} or an earlier run. Returns false if memory runs out. If `apart`,
 * another worker may call sweep_run_begin while events of known threads are added. */
bool sweep_run_begin(struct sweep_run *run, const struct sweep *sweep, bool apart);
void sweep_run_fini(struct sweep_run *run);

/* Add an event of slot b, `ticks` after one of slot a, without a branch that is hard to predict. */
static inline void sweep_run_step(struct sweep_run *run, uint32_t a, uint32_t b, int64_t ticks)
{
    int64_t *walk = &run->walks[a * run->stride + b], least = *walk;
    *walk = least < ticks ? least : ticks;
}

/* Add the next event, of a slot at time x, to a run with `carries`. Time: O(live threads). */
static inline void sweep_run_carry(struct sweep_run *run, uint32_t slot, int64_t x)
{
    int64_t *walks = run->walks + slot * run->stride;
    if (run->least[slot] == WALK_INF)
        for (size_t a = 0; a < run->stride; a++)
            walks[a] = WALK_INF;
    run->carry(walks, run->carrier, run->stride, slot, x);
    walk_lower(&run->least[slot], x);
}

/* Process the events of a run. `ends` has the slots and times of its first and last event. If the
 * run contradicts the constraints, the next call of sweep_event reports it. */
void sweep_take_run(struct sweep *sweep, const struct sweep_run *run, const struct ends *ends);

/* Return the slot of a live thread (sweep_slot), or the thread of a slot in use (sweep_thread). */
uint32_t sweep_slot(const struct sweep *sweep, uint32_t thread);
uint32_t sweep_thread(const struct sweep *sweep, uint32_t slot);

#endif
