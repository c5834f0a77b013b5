/* A solution: the results for a trace. */
#ifndef SYNC_SOLUTION_H
#define SYNC_SOLUTION_H

#include "bounds/bounds.h"
#include "bounds/pair_tally.h"
#include "sync/pass.h"
#include "sync/premises.h"

struct drift;
struct partial;
struct table;

/* The least delay of messages from one clock to another, in parts of AGE_UNIT: `estimate` by global
 * times, and a guaranteed range. If `greatest` is near DELAY_NONE, there is no limit. */
#define DELAY_NONE ((int128)1 << 120)
struct delay {
    uint32_t from, to;
    uint64_t messages;
    int128 estimate, least, greatest;
};

struct csy_sync {
    struct csy_trace *trace; /* the trace that was solved */
    /* true if read from a file (sync/reread.h), without a graph of bounds and a first pass */
    bool read;
    struct table *table; /* the table of a .pex if the solution was read from the .pex, or NULL */
    /* The solution that was computed again for its bounds (csy_sync_renew_bounds), or NULL. */
    struct csy_sync *again;
    struct partial *partial; /* results for a partial order (sync/partial_order.h), or NULL */
    struct drift *drift;     /* results for clocks that drift (sync/drift/drift.h), or NULL */
    struct survey survey;
    struct clock_steps steps; /* the times at which clocks were set; survey.rules refers to them */
    csy_method method;
    int64_t origin_ticks; /* for Lamport's clocks: global time of the first record */
    /* For Lamport's clocks in partial order: the global time of the record at each position, at
     * least origin_ticks. Otherwise NULL. */
    int64_t *times;
    csy_thread *views; /* threads as callers see them */
    char *names;
    csy_track *tracks;    /* the tracks of a CSV; their number is survey.threads.ntracks */
    const char **members; /* names of tracks, grouped by thread */
    size_t reference;
    const char *reference_member; /* thread passed as reference instead of its clock, or NULL */
    csy_fraction alpha;
    csy_center center;
    struct bounds bounds;   /* the member n is 0 if infeasible or without bounds */
    struct bound_rows rows; /* rows of bounds for csy_sync_bounds */
    struct premises premises;
    csy_imprecision imprecision;
    csy_order order;
    bool ordered; /* true if no record is before its predecessors, although delta would allow it */
    bool perhaps_sorted;   /* true if the few records are sorted by time (sync/line/sorted.h) */
    int64_t latency_ticks; /* latency of messages that state no latency */
    /* longest latency of messages that state none; INT64_MAX: no limit */
    int64_t latency_max_ticks;
    const csy_matched *matched; /* the matched messages of a partial order, or NULL */
    csy_summary summary;
    bool monotonic;
    int ranges; /* the csy_ranges that analyses use */
    csy_correction correction;
    /* true if a pass has found that no local time of a used record is below the previous one */
    bool by_time;
    bool damage_measured;
    csy_damage damage;
    csy_witness witness; /* length 0: there is no witness */
    csy_witness_edge *witness_edges;
    struct diagnosis *diagnosis; /* NULL if not computed yet */
    csy_profile profile;         /* `entries` is NULL if not computed yet */
    csy_dropped dropped;         /* the records of survey.dropped */
    uint64_t advise;       /* number of records of each clock to give advice about; 0: no advice */
    struct advice *advice; /* NULL if not computed yet */
    struct tracer *tracer; /* NULL if not computed yet */
    csy_violations *violations; /* NULL if not counted yet */
    struct delay *delays;       /* delays of a loose trace, set with `violations` */
    size_t ndelays;
};

/* A diagnosis: the public view, and the memory that the view points to. */
struct diagnosis {
    csy_diagnosis view;
    char *text;
    csy_diagnosed_clock *clocks;
    csy_fit *explanations;
    char *options; /* texts of the explanations */
};

/* Advice: the public view, and the memory that the view points to. */
struct advice {
    csy_advice view;
    csy_advised *threads;
    csy_advised_gap *gaps;
};

/* The tracer's own synchronization: the public view, and the memory that the view points to. */
struct tracer {
    csy_tracer view;
    csy_tracer_clock *clocks;
};

void solution_free_diagnosis(struct diagnosis *diagnosis);

/* Returns true if the solution was read from a file and has only the bounds to the reference. */
static inline bool solution_is_star(const struct csy_sync *sync)
{
    return sync->read && !sync->again;
}

/* Returns the least possible 2 delta. Clocks that do not tick together are read up to half a tick
 * wrong, and a premise may state a longer step. A single clock has no such error, but only a pass
 * over the records shows that there is a single clock. */
static inline int64_t solution_least_twice(const struct csy_sync *sync)
{
    int64_t least = sync->trace->independent ? 1 : 0, step = sync->premises.step_ticks;
    return sync->survey.threads.count == 1 ? 0 : step > least ? step : least;
}

/* Returns true if delta has its least possible value. */
static inline bool solution_delta_is_least(const struct csy_sync *sync)
{
    csy_fraction delta = sync->imprecision.delta;
    return 2 * (int128)delta.num <= (int128)solution_least_twice(sync) * delta.den;
}

/* Returns the threads with their first and last records, or NULL if these records are unknown. */
static inline const struct threads *solution_lives(const struct csy_sync *sync)
{
    return sync->again ? &sync->again->survey.threads : sync->read ? NULL : &sync->survey.threads;
}

/* Returns the longest time from a clock's first record to its last, in ticks; 0 if unknown. */
int64_t solution_longest_ticks(const struct csy_sync *sync);

/* Make the public views of the threads with their names. Offsets are not set yet. */
csy_status solution_name_threads(struct csy_sync *sync, csy_error *error);

/* Free all results, except the results that are needed to unwrap the trace. */
void solution_reset(struct csy_sync *sync);

/* Returns the first and last records of threads, for pair_tally. The caller frees the result.
 * Returns NULL if out of memory. */
struct pair_tally_thread *solution_tally_threads(const struct csy_sync *sync);

/* Returns the threads by last record, with tau last. In this order, pass_again eliminates threads.
 * The caller frees the result. Returns NULL if out of memory. */
uint32_t *solution_last_order(const struct csy_sync *sync, size_t tau);

/* Set a limit for the caller to `ticks`, or to no_limit (INT64_MIN or INT64_MAX) if `none` is true.
 * Returns false if `ticks` is not between INT64_MIN and INT64_MAX. */
bool solution_end(int128 ticks, bool none, int64_t no_limit, int64_t *out);

/* Set both limits of the bound of s and t, as csy_sync_bounds returns them, from there = wbar(s,t)
 * and back = wbar(t,s). Returns CSY_INPUT if a limit exceeds 64 bits. */
csy_status solution_ends(const struct csy_sync *sync, size_t s, size_t t, int64_t there,
                         int64_t back, int64_t *lower_ticks, int64_t *upper_ticks,
                         csy_error *error);

/* Find the least and greatest number of ticks from a timestamp to its event in global time. These
 * are the earliest and latest offset of the clock, widened by delta and rounded up. */
void solution_event_ends(const struct csy_sync *sync, const csy_thread *clock, int64_t *earliest,
                         int64_t *latest);

/* Set the event errors of the summary from the error bounds of the summary. */
void solution_set_event_errors(struct csy_sync *sync);

/* Set the reference to the thread that csy_sync_find_thread finds. The default is the PPE, or the
 * thread with the most records. Returns CSY_USAGE if no thread has this name. */
csy_status solution_choose_reference(struct csy_sync *sync, const char *name, csy_error *error);

/* Convert the offsets g on the rough timescale to clocks. Global time is the PPE's clock; without a
 * PPE, the least global time is 0. Returns CSY_INPUT if a global time would exceed 64 bits. */
csy_status solution_shift_offsets(struct csy_sync *sync, const int64_t *g, csy_error *error);

/* Returns CSY_USAGE without global times or, for solution_check_bounds, without bounds. */
csy_status solution_check_feasible(const struct csy_sync *sync, csy_error *error);
csy_status solution_check_bounds(const struct csy_sync *sync, csy_error *error);

/* Do the same as solution_check_bounds, and also return CSY_USAGE if s or t is no thread. */
csy_status solution_check_pair(const struct csy_sync *sync, size_t s, size_t t, csy_error *error);

/* Get the row of thread s in the graph of bounds, valid until the next row is requested. */
csy_status solution_row(struct csy_sync *sync, size_t s, struct bound_row *row, csy_error *error);

/* Convert a constraint to its public form. */
csy_witness_edge solution_edge(const struct edge *edge);

/* Returns the least drift, in ppb, rounded up, with which a cycle contradicts nothing. Each clock
 * except the reference ages from the end of an edge to the begin of the next edge. Returns 0 if no
 * drift is needed, or if 10^9 ppb would not suffice. */
int64_t solution_drift_of(const struct csy_sync *sync, const struct edge *edges, size_t n,
                          int64_t added_ticks);

/* Make the cycle of n edges the witness. If n is 0, there is no witness. */
csy_status solution_set_witness(struct csy_sync *sync, const struct edge *edges, size_t n,
                                csy_error *error);

#endif
