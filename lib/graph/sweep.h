/* Computes exact bounds from the order of events in one buffer, in one pass called the sweep. See
 * doc/algorithms.md, The sweep. Time: O(T W^2) for T threads if at most W threads are live (have
 * begun, and are not eliminated) at once.
 *
 * Let g be the offsets of threads. The sweep keeps a matrix D. Each live thread has a slot: a row
 * of D and the column with the same number. The constraints so far require g[a] - g[b] <= D[a][b].
 * In the graph of all constraints, D[a][b] is the length of the shortest path (called a walk) from
 * thread a to thread b. After its last event, a thread is eliminated (removed): paths through it
 * replace longer paths between other threads, and its row and column are stored as an elimination.
 * The bounds of all threads follow from the eliminations, read backwards.
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

/* Begin a sweep. If added_ticks is 0, each event makes a constraint with the next event. Otherwise,
 * every two events make a constraint, and added_ticks is added to it. The functions below return
 * CSY_MEMORY if more than live_max threads are live at once. */
csy_status sweep_new(int64_t added_ticks, size_t live_max, struct sweep **out, csy_error *error);
void sweep_free(struct sweep *sweep);

/* Add the next event of the buffer. x is its time (order/rebase.h), |x| < X_MAX. Threads are
 * numbered in the order of their first events. *feasible becomes false if constraints contradict
 * each other; then only free the sweep. Time: O(1) if added_ticks is 0, otherwise O(live
 * threads). */
csy_status sweep_event(struct sweep *sweep, uint32_t thread, int64_t x, bool *feasible,
                       csy_error *error);

/* Call this after the last event of a thread. Time: O(live threads^2). */
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

/* Successive events that are collected, and then added to a sweep all at once by sweep_take_run.
 * The result is the same as with sweep_event. If `apart` is true, another worker may collect the
 * events. Otherwise, the first of them directly follows the last event of the sweep. */
struct sweep_run {
    size_t stride;
    bool apart, carries;
    /* Path lengths from the collected events. If `carries` is true, walks[j * stride + a] is the
     * least C[a] + x of all events in row j, at times x. Otherwise, walks[a * stride + b] is the
     * least time from an event of row a to an event of row b that directly follows. In this second
     * case, the array is the matrix D of the sweep itself unless `apart` is true. */
    int64_t *walks;
    int64_t *carrier; /* C[a] for each row a; if `apart` is true, computed from the collected events
                       * only */
    int64_t *least;   /* least[a]: least time x of the events of row a, or WALK_INF if it has
                       * none */
    minplus_carry *carry;
    int64_t *room;
    size_t entries;
};

/* Returns true if events may be collected in a struct sweep_run now. *last and *last_x become the
 * row and the time of the sweep's last event. */
bool sweep_may_run(const struct sweep *sweep, uint32_t *last, int64_t *last_x);

/* Returns true if the sweep was made with added_ticks > 0, so that every two events make a
 * constraint. */
bool sweep_carries(const struct sweep *sweep);

/* Begin to collect events. *run must be {0} or have been used before. Returns false if memory runs
 * out. If `apart` is true, another worker may call this while the sweep gets events of known
 * threads. */
bool sweep_run_begin(struct sweep_run *run, const struct sweep *sweep, bool apart);
void sweep_run_fini(struct sweep_run *run);

/* Collect an event of row b that comes `ticks` after the previous event, an event of row a. Only if
 * run->carries is false. There is no branch, because the CPU could not predict it. */
static inline void sweep_run_step(struct sweep_run *run, uint32_t a, uint32_t b, int64_t ticks)
{
    int64_t *walk = &run->walks[a * run->stride + b], least = *walk;
    *walk = least < ticks ? least : ticks;
}

/* Collect the next event, at time x. `slot` is the row of its thread. Only if run->carries is true.
 * Time: O(live threads). */
static inline void sweep_run_carry(struct sweep_run *run, uint32_t slot, int64_t x)
{
    int64_t *walks = run->walks + slot * run->stride;
    if (run->least[slot] == WALK_INF)
        for (size_t a = 0; a < run->stride; a++)
            walks[a] = WALK_INF;
    run->carry(walks, run->carrier, run->stride, slot, x);
    walk_lower(&run->least[slot], x);
}

/* Add the collected events to the sweep. `ends` has the slots and times of the first and the last
 * event. If these events contradict each other or earlier events, the next call of sweep_event sets
 * *feasible to false. */
void sweep_take_run(struct sweep *sweep, const struct sweep_run *run, const struct ends *ends);

/* Return the slot of a live thread (sweep_slot), or the thread of a slot in use (sweep_thread). */
uint32_t sweep_slot(const struct sweep *sweep, uint32_t thread);
uint32_t sweep_thread(const struct sweep *sweep, uint32_t slot);

#endif
