/* The solution of a trace: offsets of clocks, bounds, and all results that callers request. */
#ifndef SYNC_SOLUTION_H
#define SYNC_SOLUTION_H

#include "bounds/bounds.h"
#include "bounds/pair_tally.h"
#include "sync/options.h"
#include "sync/pass.h"

struct drift;
struct partial;
struct table;

/* The least time that messages take between two clocks, in 1/AGE_UNIT ticks. `estimate` is by the
 * estimated global times. The true value is from `least` to `greatest`. If there is no limit,
 * `least` is -DELAY_NONE, or `greatest` is DELAY_NONE. */
#define DELAY_NONE ((int128)1 << 120)
struct delay {
    uint32_t from, to;
    uint64_t messages;
    int128 estimate, least, greatest;
};

struct csy_sync {
    struct csy_trace *trace; /* the synchronized trace */
    bool read; /* true if the solution was read from a file (sync/reread.h) and is incomplete */
    struct table *table; /* table of the .pex that the solution was read from, or NULL */
    /* complete solution that csy_sync_renew_bounds has computed, if `read` is true; or NULL */
    struct csy_sync *again;
    struct partial *partial; /* results for a partial order (sync/partial_order.h), or NULL */
    struct drift *drift;     /* results if clocks drift (sync/drift/drift.h), or NULL */
    struct survey survey;
    struct clock_steps steps; /* moments when clocks were set, for survey.rules.steps */
    csy_method method;
    int64_t origin_ticks; /* for Lamport's clocks: global time of the first record */
    /* with Lamport's clocks in a partial order: global time of each record; or NULL */
    int64_t *times;
    csy_thread *views; /* threads in the form that callers get */
    char *names;
    csy_track *tracks;    /* tracks of a CSV; survey.threads.ntracks items */
    const char **members; /* names of all tracks; names of one thread are adjacent */
    size_t reference;
    /* name of the track that the user chose as reference, or NULL if the user chose a clock */
    const char *reference_member;
    csy_fraction alpha;
    csy_center center;
    struct bounds bounds;   /* bounds.n is 0 if there are no bounds */
    struct bound_rows rows; /* saves earlier results of csy_sync_bounds */
    struct premises premises;
    csy_imprecision imprecision;
    csy_order order;
    bool ordered;          /* true if the offsets satisfy all constraints even without a timestamp
                            * error */
    bool perhaps_sorted;   /* true if records seem sorted by time, but are too few for certainty */
    int64_t latency_ticks; /* least latency of messages that state none, in ticks */
    /* longest latency of messages that state none, in ticks; INT64_MAX: no limit */
    int64_t latency_max_ticks;
    const csy_matched *matched; /* the matched messages of a partial order, or NULL */
    csy_summary summary;
    bool monotonic;
    int ranges; /* kind of range (csy_ranges) that analyses use */
    csy_correction correction;
    /* true if local times never decrease from record to record; set by a pass */
    bool by_time;
    bool damage_measured;
    csy_damage damage;
    csy_witness witness; /* contradictory constraints; length 0 if there are none */
    csy_witness_edge *witness_edges;
    struct diagnosis *diagnosis; /* cause of a large delta, or NULL if not computed yet */
    /* timestamp errors (delta) for increasing numbers of left-out records; empty if not computed */
    csy_profile profile;
    csy_dropped dropped; /* description of the records that survey.dropped lists */
    /* number of new records per clock to give advice for, or 0 */
    uint64_t advise;
    struct advice *advice;      /* advice, or NULL if not computed yet */
    struct tracer *tracer;      /* comparison with the tracer's clock offsets, or NULL */
    csy_violations *violations; /* messages that violate the order, or NULL if not counted yet */
    /* delays of messages, computed with `violations` if only roles of events order the trace */
    struct delay *delays;
    size_t ndelays;
};

/* A diagnosis in the form that callers get, with the memory that it points to. */
struct diagnosis {
    csy_diagnosis view;
    char *text;
    csy_diagnosed_clock *clocks;
    csy_fit *explanations;
    char *options; /* texts that `explanations` point to */
};

/* Advice in the form that callers get, with the memory that it points to. */
struct advice {
    csy_advice view;
    csy_advised *threads;
    csy_advised_gap *gaps;
};

/* Comparison with the tracer's clock offsets, in the form that callers get, with its memory. */
struct tracer {
    csy_tracer view;
    csy_tracer_clock *clocks;
};

void solution_free_diagnosis(struct diagnosis *diagnosis);

/* Returns true if only bounds to the reference are known, because they were read from a file. */
static inline bool solution_is_star(const struct csy_sync *sync)
{
    return sync->read && !sync->again;
}

/* Returns the least possible 2 delta (twice the timestamp error) in ticks: 0 for one clock,
 * otherwise the step of timestamps, but at least 1 if clocks tick at different instants. */
static inline int64_t solution_least_twice(const struct csy_sync *sync)
{
    int64_t least = sync->trace->independent ? 1 : 0, step = sync->premises.step_ticks;
    return sync->survey.threads.count == 1 ? 0 : step > least ? step : least;
}

static inline bool solution_delta_is_least(const struct csy_sync *sync)
{
    csy_fraction delta = sync->imprecision.delta;
    return 2 * (int128)delta.num <= (int128)solution_least_twice(sync) * delta.den;
}

/* Returns the threads, or NULL if their first and last records were not read. */
static inline const struct threads *solution_lives(const struct csy_sync *sync)
{
    return sync->again ? &sync->again->survey.threads : sync->read ? NULL : &sync->survey.threads;
}

/* Returns the longest time in ticks between a clock's first and last record, or 0 if unknown. */
int64_t solution_longest_ticks(const struct csy_sync *sync);

/* Make the list of threads for callers, with names but without offsets. Returns CSY_INPUT if there
 * are no threads. */
csy_status solution_name_threads(struct csy_sync *sync, csy_error *error);

/* Free all results. Only survey.lore stays: the counter wraps, needed when the trace is read
 * again. */
void solution_reset(struct csy_sync *sync);

/* Returns each thread's first and last record, which the caller frees; NULL if out of memory. */
struct pair_tally_thread *solution_tally_threads(const struct csy_sync *sync);

/* Returns the indexes of all threads, sorted by last record, but with thread tau at the end. The
 * caller frees the result, which is NULL if out of memory. */
uint32_t *solution_last_order(const struct csy_sync *sync, size_t tau);

/* Set *out to `ticks`, or to no_limit (INT64_MIN or INT64_MAX) if `none` is true. Returns false if
 * `ticks` is not between INT64_MIN and INT64_MAX. */
bool solution_end(int128 ticks, bool none, int64_t no_limit, int64_t *out);

/* Set the limits of offset s minus offset t for csy_sync_bounds. `there` is the bound from s to t,
 * and `back` the bound from t to s. Returns CSY_INPUT if a limit exceeds 64 bits. */
csy_status solution_ends(const struct csy_sync *sync, size_t s, size_t t, int64_t there,
                         int64_t back, int64_t *lower_ticks, int64_t *upper_ticks,
                         csy_error *error);

/* Find the least and the greatest difference between a timestamp and the true global time of its
 * event: the limits of the clock's offset, widened by delta and rounded outward. */
void solution_event_ends(const struct csy_sync *sync, const csy_thread *clock, int64_t *earliest,
                         int64_t *latest);

/* Set the reference to the thread with this name. If `name` is NULL, the reference is the PPE, or
 * the thread with the most records. Returns CSY_USAGE if no thread has this name. */
csy_status solution_choose_reference(struct csy_sync *sync, const char *name, csy_error *error);

/* Set the offsets of all threads. g[t] is the offset of thread t for times with rough offsets added
 * (order/rebase.h). Global time is the PPE's time or, without a PPE, begins at 0. Returns CSY_INPUT
 * if an offset exceeds 64 bits. */
csy_status solution_shift_offsets(struct csy_sync *sync, const int64_t *g, csy_error *error);

/* Return CSY_USAGE if there are no global times. solution_check_bounds also requires bounds. */
csy_status solution_check_feasible(const struct csy_sync *sync, csy_error *error);
csy_status solution_check_bounds(const struct csy_sync *sync, csy_error *error);

/* Return CSY_USAGE if s or t is not the number of a thread, or if there are no bounds. */
csy_status solution_check_pair(const struct csy_sync *sync, size_t s, size_t t, csy_error *error);

/* Get the bounds between thread s and all other threads. They are valid until the next call. */
csy_status solution_row(struct csy_sync *sync, size_t s, struct bound_row *row, csy_error *error);

csy_witness_edge solution_edge(const struct edge *edge);

/* Returns the least drift in ppb, rounded up, that lets all these contradictory constraints be
 * true. Returns 0 if no drift is needed, or if 10^9 ppb would not suffice. */
int64_t solution_drift_of(const struct csy_sync *sync, const struct edge *edges, size_t n,
                          int64_t added_ticks);

/* Store n contradictory constraints as the witness. If n is 0, remove the witness. */
csy_status solution_set_witness(struct csy_sync *sync, const struct edge *edges, size_t n,
                                csy_error *error);

#endif
