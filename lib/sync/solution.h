/* A solution: what the pipeline has found out about a trace. */
#ifndef SYNC_SOLUTION_H
#define SYNC_SOLUTION_H

#include "bounds/bounds.h"
#include "bounds/pair_tally.h"
#include "sync/pass.h"
#include "sync/premises.h"

struct drift;
struct partial;
struct table;

struct csy_sync {
    struct csy_trace *trace; /* which it is of */
    bool read; /* out of a synchronized trace (sync/reread.h): there are no bounds graph and
                            no first pass */
    struct table *table;     /* of that, if it is a .pex; else NULL */
    struct csy_sync *again;  /* the same solution made anew, for its bounds (csy_sync_renew_bounds);
                                NULL: there is none */
    struct partial *partial; /* of a trace in partial order (sync/pipeline/partial.h), else NULL */
    struct drift *drift;     /* of clocks that drift (sync/drift/drift.h), else NULL */
    struct survey survey;
    struct clock_steps steps; /* of its clocks; survey.rules has them */
    csy_method method;
    int64_t origin_ticks; /* Lamport's clocks: global time of the first record */
    int64_t *times;       /* the same in partial order: by position, origin_ticks being the least;
                             else NULL */
    csy_thread *views;    /* one a thread, for the caller */
    char *names;
    csy_track *tracks;    /* of a CSV, survey.threads.ntracks */
    const char **members; /* their names, by threads */
    size_t reference;
    const char *reference_member; /* the thread that was named for its clock, or NULL */
    csy_fraction alpha;
    csy_center center;
    struct bounds bounds;   /* n 0: infeasible, or a method without bounds */
    struct bound_rows rows; /* of csy_sync_bounds */
    struct premises premises;
    csy_imprecision imprecision;
    csy_order order;
    bool perhaps_sorted;        /* by time, but too few records say so (sync/line/sorted.h) */
    int64_t latency_ticks;      /* of messages that do not say their own */
    int64_t latency_max_ticks;  /* the same, at most; INT64_MAX: no limit */
    const csy_matched *matched; /* of a trace in partial order, else NULL */
    csy_summary summary;
    bool monotonic;
    int ranges; /* csy_ranges, that analyses are to have */
    csy_correction correction;
    bool by_time; /* measured, too: no local time of a record taken is below the one before */
    bool damage_measured;
    csy_damage damage;
    csy_witness witness; /* length 0: there is none */
    csy_witness_edge *witness_edges;
    struct diagnosis *diagnosis; /* NULL: not looked for yet */
    csy_profile profile;         /* entries NULL: not looked for yet */
    csy_dropped dropped;         /* the records of survey.dropped */
    uint64_t advise;             /* records a clock; 0: no advice is asked for */
    struct advice *advice;       /* NULL: not given yet */
    struct tracer *tracer;       /* NULL: not looked at yet */
    csy_violations *violations;  /* NULL: not counted yet */
};

/* A diagnosis as the solution keeps it. */
struct diagnosis {
    csy_diagnosis view;
    char *text;
    csy_diagnosed_clock *clocks;
    csy_fit *explanations;
    char *options; /* of explanations */
};

/* Advice as the solution keeps it. */
struct advice {
    csy_advice view;
    csy_advised *threads;
    csy_advised_gap *gaps;
};

/* What the tracer took clocks for, as the solution keeps it. */
struct tracer {
    csy_tracer view;
    csy_tracer_clock *clocks;
};

void solution_free_diagnosis(struct diagnosis *diagnosis);

/* Whether there are bounds to the reference alone, those that the file has. */
static inline bool solution_is_star(const struct csy_sync *sync)
{
    return sync->read && !sync->again;
}

/* 2 delta is so much at least: clocks that do not tick together read up to half a tick wrong, and a
 * premise may state a longer step.  One clock alone does not, but until the records are read it is
 * not known that it is alone. */
static inline int64_t solution_least_twice(const struct csy_sync *sync)
{
    int64_t least = sync->trace->independent ? 1 : 0, step = sync->premises.step_ticks;
    return sync->survey.threads.count == 1 ? 0 : step > least ? step : least;
}

/* Whether delta is no more than that. */
static inline bool solution_delta_is_least(const struct csy_sync *sync)
{
    csy_fraction delta = sync->imprecision.delta;
    return 2 * (int128)delta.num <= (int128)solution_least_twice(sync) * delta.den;
}

/* The threads with their first and last records, or NULL where these are not known. */
static inline const struct threads *solution_lives(const struct csy_sync *sync)
{
    return sync->again ? &sync->again->survey.threads : sync->read ? NULL : &sync->survey.threads;
}

/* The ticks of the longest time from the first record of a clock to its last; 0 if not known. */
int64_t solution_longest_ticks(const struct csy_sync *sync);

/* Public views of the threads with their names; offsets are still 0. */
csy_status solution_name_threads(struct csy_sync *sync, csy_error *error);

/* Forget all but how to unwrap the trace. */
void solution_reset(struct csy_sync *sync);

/* Where the threads' records stand; the caller frees it.  NULL: no memory. */
struct pair_tally_thread *solution_tally_threads(const struct csy_sync *sync);

/* The threads by their last records, tau last, as pass_again eliminates them; the caller frees
 * it.  NULL: no memory. */
uint32_t *solution_last_order(const struct csy_sync *sync, size_t tau);

/* An end of a bound as it is given out: ticks, or, where there is none, no_limit, which is
 * INT64_MIN or INT64_MAX.  False where ticks is not between these two. */
bool solution_end(int128 ticks, bool none, int64_t no_limit, int64_t *out);

/* The ends of the bound of s and t as csy_sync_bounds has them, out of wbar(s,t) and wbar(t,s).
 * CSY_INPUT where they leave 64 bits. */
csy_status solution_ends(const struct csy_sync *sync, size_t s, size_t t, int64_t there,
                         int64_t back, int64_t *lower_ticks, int64_t *upper_ticks,
                         csy_error *error);

/* The least and the greatest number of ticks from a timestamp of the clock to its event in global
 * time: the ends of the clock's offset, moved out by delta, rounded up. */
void solution_event_ends(const struct csy_sync *sync, const csy_thread *clock, int64_t *earliest,
                         int64_t *latest);

/* Complete the summary, whose error bounds are known, by event errors. */
void solution_set_event_errors(struct csy_sync *sync);

/* Set the thread that csy_sync_find_thread finds, or by default the PPE or that of most records, as
 * the reference.
 * CSY_USAGE where no thread is called so. */
csy_status solution_choose_reference(struct csy_sync *sync, const char *name, csy_error *error);

/* g between x -> offsets between the clocks as they are, on the PPE's timebase or, where there is
 * no PPE, such that the least global time is 0.  CSY_INPUT where a global time would leave 64
 * bits. */
csy_status solution_shift_offsets(struct csy_sync *sync, const int64_t *g, csy_error *error);

/* CSY_USAGE unless there are global times; unless there are bounds. */
csy_status solution_check_feasible(const struct csy_sync *sync, csy_error *error);
csy_status solution_check_bounds(const struct csy_sync *sync, csy_error *error);

/* CSY_USAGE also where s or t is no thread. */
csy_status solution_check_pair(const struct csy_sync *sync, size_t s, size_t t, csy_error *error);

/* The row of s of the bounds graph; holds until rows are asked for again. */
csy_status solution_row(struct csy_sync *sync, size_t s, struct bound_row *row, csy_error *error);

/* A constraint as the caller sees it. */
csy_witness_edge solution_edge(const struct edge *edge);

/* How much clocks would have to drift for the cycle not to contradict them, in ppb and rounded up:
 * each but the reference ages from the end of an edge to the begin of the next.  0: by as much as
 * they show, or more. */
int64_t solution_drift_of(const struct csy_sync *sync, const struct edge *edges, size_t n,
                          int64_t added_ticks);

/* Make the cycle of n edges the witness; 0: there is none. */
csy_status solution_set_witness(struct csy_sync *sync, const struct edge *edges, size_t n,
                                csy_error *error);

#endif
