/* Proves that the bounds in a table are the tightest that the constraints imply, and that threads
 * unbounded on one side are placed accordingly. The proof takes one pass and no solver. See
 * cellsync-model(7), Guarantees.
 *
 * Let p[t] be one bound of thread t, its earliest or latest offset. These are the tightest bounds
 * relative to the reference tau if and only if three conditions hold:
 *
 *   - p[tau] is the offset of tau.
 *   - p meets every constraint: p[s] + time(e1) <= p[t] + time(e2) + added for every event e1 of s
 *     before an event e2 of t. So no bound is too far from tau.
 *   - Constraints that hold with equality (tight constraints) lead to each bounded thread t: from
 *     tau to t for the earliest offset, from t to tau for the latest. So no bound is too near.
 *
 * If p are the offsets themselves (PROOF_PLACED), the same constraints prove the places of threads
 * that are unbounded on one side (cellsync-model(7), Unbounded pairs). A thread after the others
 * is as early as possible if and only if tight constraints lead to it from a thread bounded on
 * both sides. A thread before the others is as late as possible if and only if tight constraints
 * lead from it to a thread that is bounded, or after the others.
 *
 * No code of the engines is used. If `added` is 0, or for the relaxation of the paper, only
 * neighbouring events e1 and e2 count. Otherwise every pair counts, and the greatest p[s] +
 * time(e1) so far stands for all e1. */
#ifndef CHECK_PROOF_H
#define CHECK_PROOF_H

#include "base/number.h"
#include "clock/threads.h"
#include "sync/reread/table.h"

enum proof_end { PROOF_EARLIEST, PROOF_LATEST, PROOF_PLACED };

struct proof_thread {
    int64_t end_ticks; /* bound of the thread, or, for PROOF_PLACED, its offset; INT64_MIN or
                        * INT64_MAX if it has no bound */
    uint64_t led;
    /* `reign` and `nleaders` when constraints with all leaders were last stored in `tight`, so that
     * they are not stored again */
    uint64_t met;
    size_t met_nleaders;
};

struct proof {
    enum proof_end which;
    const struct table *table;
    bool all_pairs;
    struct proof_thread *threads;
    /* Threads s with the greatest p[s] + time of an event so far (see the head of this file). If
     * all_pairs is false: only the thread of the previous event. */
    uint32_t *leaders;
    size_t nleaders, leaders_capacity;
    int128 greatest;
    uint64_t reign;  /* how often `leaders` was emptied because `greatest` had grown */
    uint64_t *tight; /* pairs of threads, as from << 32 | to, with a constraint that holds with
                      * equality */
    size_t ntight, tight_capacity;
    uint32_t broken_from, broken_to; /* the two threads of the first constraint that p does not
                                      * meet; or NO_THREAD */
};

/* Start a proof. `table` must outlive the proof. Call proof_fini even after a failure. */
csy_status proof_init(struct proof *proof, enum proof_end which, const struct table *table,
                      csy_error *error);
void proof_fini(struct proof *proof);

/* Add the next event of the buffer. O(1), or O(nleaders) if a constraint holds with equality.
 * Stores 8 bytes for each pair of threads with such a constraint. */
csy_status proof_event(struct proof *proof, uint32_t thread, int64_t local_ticks, csy_error *error);

/* Finish the proof after the last event. *fault becomes a thread with a wrong bound or offset, or
 * NO_THREAD. Before PROOF_PLACED, prove the bounds with PROOF_EARLIEST and PROOF_LATEST. O(n log n)
 * for n threads and stored pairs. */
csy_status proof_finish(struct proof *proof, uint32_t tau, uint32_t *fault, csy_error *error);

#endif
