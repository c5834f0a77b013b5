/* A solution: the results of the pipeline for a trace. */
#ifndef SYNC_SOLUTION_H
#define SYNC_SOLUTION_H

#include "bounds/bounds.h"
#include "bounds/pair_tally.h"
#include "sync/pass.h"
#include "sync/premises.h"

struct drift;
struct partial;
struct table;

/* The least delay of the messages from one clock to another, in parts of AGE_UNIT: by global times,
 * and a range that is guaranteed. DELAY_NONE, or nearly, as `greatest`: there is no limit. */
#define DELAY_NONE ((int128)1 << 120)
struct delay {
    uint32_t from, to;
    uint64_t messages;
    int128 estimate, least, greatest;
};

struct csy_sync {
    struct csy_trace *trace; /* the trace that was solved */
    /* Read from a synchronized trace (sync/reread.h): there are no bounds graph and no first
     * pass. */
    bool read;
    struct table *table; /* if it was read from a .pex, otherwise NULL */
    /* The solution computed again, for its bounds (csy_sync_renew_bounds), or NULL. */
    struct csy_sync *again;
    struct partial *partial; /* for a trace in partial order (sync/pipeline/partial.h), otherwise
                                NULL */
    struct drift *drift;     /* for clocks that drift (sync/drift/drift.h), otherwise NULL */
    struct survey survey;
    struct clock_steps steps; /* steps of the clocks of the trace; survey.rules refers to them */
    csy_method method;
    int64_t origin_ticks; /* Lamport's clocks: global time of the first record */
    /* Lamport's clocks in partial order: global times by position, with the least at origin_ticks.
     * Otherwise NULL. */
    int64_t *times;
    csy_thread *views; /* one for each thread, for the caller */
    char *names;
    csy_track *tracks;    /* of a CSV; survey.threads.ntracks items */
    const char **members; /* their names, grouped by threads */
    size_t reference;
    const char *reference_member; /* the name of a thread that was passed as reference, for its
                                     clock; or NULL */
    csy_fraction alpha;
    csy_center center;
    struct bounds bounds;   /* n is 0 if infeasible, or for a method without bounds */
    struct bound_rows rows; /* for csy_sync_bounds */
    struct premises premises;
    csy_imprecision imprecision;
    csy_order order;
    bool ordered;               /* no record is placed before its predecessors, whatever
                                   delta allows */
    bool perhaps_sorted;        /* sorted by time, but too few records show it
                                   (sync/line/sorted.h) */
    int64_t latency_ticks;      /* latency of messages that state none */
    int64_t latency_max_ticks;  /* longest latency of messages that state none; INT64_MAX: no
                                   limit */
    const csy_matched *matched; /* for a trace in partial order, otherwise NULL */
    csy_summary summary;
    bool monotonic;
    int ranges; /* csy_ranges for analyses */
    csy_correction correction;
    /* measured in a pass: no local time of a used record is below the local time of the record
     * before */
    bool by_time;
    bool damage_measured;
    csy_damage damage;
    csy_witness witness; /* length 0: none */
    csy_witness_edge *witness_edges;
    struct diagnosis *diagnosis; /* NULL: not computed yet */
    csy_profile profile;         /* entries NULL: not computed yet */
    csy_dropped dropped;         /* the records of survey.dropped */
    uint64_t advise;             /* records for each clock; 0: no advice requested */
    struct advice *advice;       /* NULL: not computed yet */
    struct tracer *tracer;       /* NULL: not computed yet */
    csy_violations *violations;  /* NULL: not counted yet */
    struct delay *delays;        /* of a loose trace, by direction; set with `violations` */
    size_t ndelays;
};

/* The diagnosis as a part of a solution: the public view, and the memory that it uses. */
struct diagnosis {
    csy_diagnosis view;
    char *text;
    csy_diagnosed_clock *clocks;
    csy_fit *explanations;
    char *options; /* texts of explanations */
};

/* The advice as a part of a solution: the public view, and the memory that it uses. */
struct advice {
    csy_advice view;
    csy_advised *threads;
    csy_advised_gap *gaps;
};

/* The tracer's own synchronization in a solution. */
struct tracer {
    csy_tracer view;
    csy_tracer_clock *clocks;
};

void solution_free_diagnosis(struct diagnosis *diagnosis);

/* True if the solution has only the bounds to the reference, as read from a file. */
static inline bool solution_is_star(const struct csy_sync *sync)
{
    return sync->read && !sync->again;
}

/* The least possible 2 delta. Clocks that do not tick together are read up to half a tick wrong,
 * and a premise may state a longer step. A single clock has no such error, but only a
 * pass over the records shows that there is one clock. */
static inline int64_t solution_least_twice(const struct csy_sync *sync)
{
    int64_t least = sync->trace->independent ? 1 : 0, step = sync->premises.step_ticks;
    return sync->survey.threads.count == 1 ? 0 : step > least ? step : least;
}

/* True if delta is not above its least possible value. */
static inline bool solution_delta_is_least(const struct csy_sync *sync)
{
    csy_fraction delta = sync->imprecision.delta;
    return 2 * (int128)delta.num <= (int128)solution_least_twice(sync) * delta.den;
}

/* The threads with their first and last records, or NULL if these are not known. */
static inline const struct threads *solution_lives(const struct csy_sync *sync)
{
    return sync->again ? &sync->again->survey.threads : sync->read ? NULL : &sync->survey.threads;
}

/* The ticks of the longest time from the first record of a clock to its last; 0 if not known. */
int64_t solution_longest_ticks(const struct csy_sync *sync);

/* Make the public views of the threads with their names; offsets are still 0. */
csy_status solution_name_threads(struct csy_sync *sync, csy_error *error);

/* Free all results except those that are needed to unwrap the trace. */
void solution_reset(struct csy_sync *sync);

/* The first and last records of threads for pair_tally; the caller frees it. NULL if out of
 * memory. */
struct pair_tally_thread *solution_tally_threads(const struct csy_sync *sync);

/* The threads in the order of their last records, tau last, as pass_again eliminates them; the
 * caller frees it. NULL if out of memory. */
uint32_t *solution_last_order(const struct csy_sync *sync, size_t tau);

/* Set an end of a bound for the caller: ticks, or no_limit, INT64_MIN or INT64_MAX, if `none` is
 * true. False if ticks is not between these two. */
bool solution_end(int128 ticks, bool none, int64_t no_limit, int64_t *out);

/* Set the ends of the bound of s and t, as csy_sync_bounds returns them, from wbar(s,t) and
 * wbar(t,s). CSY_INPUT if they exceed 64 bits. */
csy_status solution_ends(const struct csy_sync *sync, size_t s, size_t t, int64_t there,
                         int64_t back, int64_t *lower_ticks, int64_t *upper_ticks,
                         csy_error *error);

/* The least and the greatest number of ticks from a timestamp of the clock to its event in global
 * time: the ends of the clock's offset, moved out by delta, rounded up. */
void solution_event_ends(const struct csy_sync *sync, const csy_thread *clock, int64_t *earliest,
                         int64_t *latest);

/* Complete the summary by errors of events; its error bounds must be set. */
void solution_set_event_errors(struct csy_sync *sync);

/* Set the reference: the thread that csy_sync_find_thread finds, or by default the PPE, or the
 * thread with the most records. CSY_USAGE if no thread has this name. */
csy_status solution_choose_reference(struct csy_sync *sync, const char *name, csy_error *error);

/* Turn g between x into offsets of the clocks, on the timebase of the PPE, or, without a PPE, such
 * that the least global time is 0. CSY_INPUT if a global time would exceed 64 bits. */
csy_status solution_shift_offsets(struct csy_sync *sync, const int64_t *g, csy_error *error);

/* CSY_USAGE if the solution has no global times, or, for solution_check_bounds, no bounds. */
csy_status solution_check_feasible(const struct csy_sync *sync, csy_error *error);
csy_status solution_check_bounds(const struct csy_sync *sync, csy_error *error);

/* CSY_USAGE also if s or t is no thread. */
csy_status solution_check_pair(const struct csy_sync *sync, size_t s, size_t t, csy_error *error);

/* The row of s of the bounds graph; valid until the next row is requested. */
csy_status solution_row(struct csy_sync *sync, size_t s, struct bound_row *row, csy_error *error);

/* A constraint in its public form. */
csy_witness_edge solution_edge(const struct edge *edge);

/* The least drift, in ppb, rounded up, that clocks need so that the cycle contradicts nothing: each
 * clock except the reference ages from the end of an edge to the begin of the next. 0: none is
 * needed, or 10^9 ppb would not suffice. */
int64_t solution_drift_of(const struct csy_sync *sync, const struct edge *edges, size_t n,
                          int64_t added_ticks);

/* Make the cycle of n edges the witness; n = 0: no witness. */
csy_status solution_set_witness(struct csy_sync *sync, const struct edge *edges, size_t n,
                                csy_error *error);

#endif
