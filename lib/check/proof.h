/* Proves that the ends of a table's bounds are the shortest walks, and that threads unbounded on
 * one side are placed accordingly. The proof takes one pass and no solver. See cellsync-model(7),
 * Guarantees.
 *
 * p[t] is one end of thread t, its earliest or latest offset. The ends are those that the
 * constraints imply, p[t] = p[tau] - wbar(tau,t) or p[tau] + wbar(t,tau), if and only if
 * - p[tau] is the offset of tau;
 * - p meets every constraint, p[s] + time(e1) <= p[t] + time(e2) + added for every e1 of s before
 * e2 of t, so that no end is farther from tau than its shortest walk;
 * - tau reaches every bounded end by constraints that are tight, that is, hold with equality: from
 * s to t for the earliest, from t to s for the latest. So no end is nearer than its shortest walk.
 *
 * If p are the offsets (PROOF_PLACED), the same constraints prove the places of threads that are
 * unbounded on one side (cellsync-model(7), Unbounded pairs). A thread after the others is as early
 * as possible if and only if a thread bounded on both sides reaches it by tight constraints, from s
 * to t. A thread before the others is as late as possible if and only if a thread that is bounded,
 * or after the others, reaches it by tight constraints from t to s.
 *
 * No code of the engines is used. If added is 0, or for the relaxation of the paper, only
 * neighbours e1 and e2 count. Otherwise every pair counts, and the greatest p[s] + time(e1) so far
 * stands for all e1. */
#ifndef CHECK_PROOF_H
#define CHECK_PROOF_H

#include "base/number.h"
#include "clock/threads.h"
#include "sync/reread/table.h"

enum proof_end { PROOF_EARLIEST, PROOF_LATEST, PROOF_PLACED };

struct proof_thread {
    int64_t end_ticks;   /* INT64_MIN, INT64_MAX: unbounded */
    uint64_t led;        /* the last reign in which the thread was a leader */
    uint64_t met;        /* the last reign in which the thread had tight constraints to leaders */
    size_t met_nleaders; /* number of these leaders */
};

struct proof {
    enum proof_end which;
    const struct table *table;
    bool all_pairs;
    struct proof_thread *threads;
    /* the threads with the greatest p + time; if only neighbours count, the thread of the last
     * event */
    uint32_t *leaders;
    size_t nleaders, leaders_capacity;
    int128 greatest;
    uint64_t reign;  /* counts changes of `greatest` */
    uint64_t *tight; /* constraints, as from << 32 | to */
    size_t ntight, tight_capacity;
    uint32_t broken_from, broken_to; /* first violated constraint, or NO_THREAD */
};

/* table must outlive the proof. Call proof_fini even after a failure. */
csy_status proof_init(struct proof *proof, enum proof_end which, const struct table *table,
                      csy_error *error);
void proof_fini(struct proof *proof);

/* Add the next event of the buffer. O(1), plus the number of leaders if the constraint is tight.
 * Stores 8 bytes for each two threads with a tight constraint, usually a few for each thread. */
csy_status proof_event(struct proof *proof, uint32_t thread, int64_t local_ticks, csy_error *error);

/* Finish the proof after the last event; PROOF_PLACED comes after the bounds were proved. *fault
 * becomes a thread whose bound seems wrong or, for PROOF_PLACED, a misplaced thread that is
 * unbounded on one side; otherwise NO_THREAD. O(n log n) for n threads and tight constraints. */
csy_status proof_finish(struct proof *proof, uint32_t tau, uint32_t *fault, csy_error *error);

#endif
