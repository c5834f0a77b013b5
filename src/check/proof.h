/*
 * Proof that the ends of a table's bounds are the shortest walks, and that threads unbounded on one
 * side are where these place them, in one pass and without a solver.
 * cellsync-model(7), Guarantees.
 *
 * Of each thread t one end p[t] is looked at, the earliest or the latest offset.  They are those
 * that the constraints imply, p[t] = p[tau] - wbar(tau,t) or p[tau] + wbar(t,tau), if and only if
 *   - p[tau] is the offset of tau;
 *   - p keeps every constraint,
 *       p[s] + time(e1) <= p[t] + time(e2) + added       e1 of s before e2 of t,
 *     so that no end is farther from tau than its shortest walk;
 *   - tau reaches every bounded end by constraints that are tight, that is, kept with equality:
 *     from s to t for the earliest, from t to s for the latest; so that none is nearer.
 * Where p are the offsets (PROOF_PLACED), the same constraints prove the places of threads that are
 * unbounded on one side (cellsync-model(7), Unbounded pairs): a thread after the others is as early
 * as it can be if and only if a thread that is bounded on both sides reaches it by tight
 * constraints, from s to t; one before them is as late as it can be if and only if one that is
 * bounded, or after them, reaches it from t to s.
 * Nothing of the engines takes part.  e1 immediately precedes e2 where added is 0 or the
 * paper's; else every pair counts, and the greatest p[s] + time(e1) so far stands for all e1.
 */
#ifndef CHECK_PROOF_H
#define CHECK_PROOF_H

#include "base/number.h"
#include "clock/threads.h"
#include "sync/reread/table.h"

enum proof_end { PROOF_EARLIEST, PROOF_LATEST, PROOF_PLACED };

struct proof_thread {
    int64_t end_ticks;   /* INT64_MIN, INT64_MAX: unbounded */
    uint64_t led;        /* the last reign in which it was among the leaders */
    uint64_t met;        /* the last reign whose leaders it is tight after, */
    size_t met_nleaders; /* and how many of them */
};

struct proof {
    enum proof_end which;
    const struct table *table;
    bool all_pairs;
    struct proof_thread *threads;
    uint32_t *leaders; /* whose p + time is the greatest, or who had the last event */
    size_t nleaders, leaders_capacity;
    int128 greatest;
    uint64_t reign;  /* counts changes of the greatest */
    uint64_t *tight; /* constraints, from << 32 | to */
    size_t ntight, tight_capacity;
    uint32_t broken_from, broken_to; /* the first constraint that is broken, or NO_THREAD */
};

/* The table must stay.  The caller calls proof_fini even after a failure. */
csy_status proof_init(struct proof *proof, enum proof_end which, const struct table *table,
                      csy_error *error);
void proof_fini(struct proof *proof);

/* The next event in buffer order.  O(1) but for ties of leaders, and for tight constraints, of
 * which each pair of threads is kept once: 8 bytes each, a few a thread. */
csy_status proof_event(struct proof *proof, uint32_t thread, int64_t local_ticks, csy_error *error);

/* The last event has passed; not PROOF_PLACED.  *fault is a thread whose end is wrong (if only one
 * is, most often that one), or NO_THREAD.  O((threads + tight constraints) log). */
csy_status proof_finish(struct proof *proof, uint32_t tau, uint32_t *fault, csy_error *error);

/* The same of PROOF_PLACED, where the table's ends are proved: *fault is a thread that is unbounded
 * on one side and not at its place, or NO_THREAD. */
csy_status proof_finish_placed(struct proof *proof, uint32_t *fault, csy_error *error);

#endif
