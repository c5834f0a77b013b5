/* The state of csy_check; proofs for all formats, for partial orders, and for drifting clocks. */
#ifndef CHECK_CHECK_H
#define CHECK_CHECK_H

#include "check/proof.h"
#include "clock/points.h"
#include "order/inversions.h"
#include "sync/measure.h"
#include "sync/pass.h"
#include "sync/reread/table.h"

struct check_partial;
struct check_drift;
struct match;

/* Limits of rates in ppb, and latencies of messages that state none. If wander_ppb is set, only
 * rates and order are proved. If `interpolated` is true, a global time may be a tick lower than the
 * exact one, and the caller checks that global time begins at the right moment. */
struct check_rule {
    int64_t rate_ppb, wander_ppb; /* as in csy_options_set_drift; rate_ppb is CSY_NO_DRIFT if clocks
                                   * do not drift */
    int64_t latency_ticks;
    int64_t latency_max_ticks; /* longest latency in ticks; INT64_MAX: no limit */
    bool interpolated;
};

struct check {
    struct csy_trace *trace;
    /* NULL, or the trace that the CSV was made from; its events are then used for the proof, and
     * the rows of the CSV are compared with them */
    struct csy_trace *made_of;
    struct table table; /* table of the file; for a CSV, from its line "# cellsync" and its rows */
    struct survey survey;
    /* indexed by enum proof_end; the last one is used only if some thread lacks an upper or a lower
     * bound */
    struct proof proofs[PROOF_PLACED + 1];
    struct restore restore; /* restores the original records of a .pex */
    uint32_t crc32;         /* checksum of the original records */
    int64_t *last_ticks;    /* for each thread: local time of its last record */
    struct inversions inversions;
    /* global time and thread of the previous record; at first, the thread is SIZE_MAX */
    int64_t previous;
    size_t previous_thread;
    size_t next_dropped; /* index of the next item of table.dropped */
    struct absent absent;
    struct check_rule rule;
    struct check_partial *partial; /* proof for a partial order without drift, or NULL */
    struct check_drift *drift;     /* proof for drifting clocks, or NULL */
    /* Only for partial orders and drifting clocks. points: the begins and ends of records. match:
     * finds the receive of each send; NULL for one buffer. order: the points, sorted so that each
     * point comes after all points that must precede it. */
    struct points points;
    struct match *match;
    uint32_t *order;
    size_t unbounded; /* in a partial order: number of threads without an earliest or latest offset
                       * relative to the reference */
    size_t unplaced;  /* number of unbounded threads without a proof of their offsets, because it
                       * would take too long */
    bool strict;      /* true if the offsets must satisfy all constraints as if timestamps were
                       * exact */
    bool by_time;     /* for a CSV: true if local times never decrease */
    int64_t local_ticks;
};

static inline struct csy_trace *check_source(const struct check *check)
{
    return check->made_of ? check->made_of : check->trace;
}

/* Check that --offsets names the file of offsets that was used for synchronization. `said` is the
 * number and checksum of these offsets as the trace states them, or NULL. */
csy_status check_measured(const struct check *check, const char *said, csy_error *error);

/* Reject dropped records, --relax=paper, and --center=local, which require a trace in one buffer.
 * Messages name the part of the file (`where`) and the kind of trace (`what`). */
csy_status check_choices(const struct check *check, const char *where, const char *what,
                         csy_error *error);

csy_status check_fail_at(const struct check *check, uint64_t position, const char *what,
                         csy_error *error);
csy_status check_fail_thread(const struct check *check, size_t t, const char *what,
                             csy_error *error);

/* Read the trace, find the threads, and pass each event to *taker, a receiver of events. */
csy_status check_survey(struct check *check, const struct taker *taker,
                        const struct progress *progress, csy_error *error);

/* Set *dropped to true if the record was left out of the constraints. Call this for each record in
 * order. The table must be known, and absent_init called. */
csy_status check_dropped(struct check *check, uint64_t position, uint64_t first_record,
                         int64_t global_ticks, bool *dropped, csy_error *error);

/* Call this after the last record. Fails if the file lists dropped records that do not exist. */
csy_status check_all_dropped(const struct check *check, csy_error *error);

/* Returns false if an earlier record has a greater global time by more than delta allows. With
 * --relax=paper, only the previous record counts, and only if it has another thread. */
bool check_order(struct check *check, size_t thread, int64_t global_ticks);

csy_status check_find_reference(const struct check *check, size_t *out, csy_error *error);

/* Begin the proofs, with the known table. Then call check_prove for each event in order. */
csy_status check_begin_proofs(struct check *check, csy_error *error);
csy_status check_prove(struct check *check, uint32_t thread, int64_t local_ticks, csy_error *error);

/* Set a thread's earliest or latest offset: to its offset in the file plus `by`, or to infinite
 * (`none`). */
csy_status check_set_end(struct check *check, size_t t, bool earliest, bool none, int128 by,
                         csy_error *error);

int128 check_least(const struct check *check);

/* After the last event, prove that the bounds follow from the records, and that the option alpha
 * determines each offset between its bounds. The PPE's offset must be 0; without a PPE, the least
 * global time. */
csy_status check_bounds(struct check *check, csy_error *error);

/* Prove the offsets of all threads that have an earliest and a latest offset; check_bounds must
 * have proved these. Also prove that the PPE's offset is 0, or, without a PPE, the least global
 * time. */
csy_status check_places(const struct check *check, size_t tau, csy_error *error);

/* Begin the proof for drifting clocks or a partial order, as check->rule requires. */
csy_status check_begin_order(struct check *check, csy_error *error);

/* Finish the proof that check_begin_order began; tau is the reference. In a partial order, call
 * check_partial_order before. */
csy_status check_prove_order(struct check *check, size_t tau, csy_error *error);

/* Read a line "# cellsync" into the table. Returns CSY_INPUT if its method cannot be proved. */
csy_status check_facts(struct check *check, const struct table_facts *said, csy_error *error);

csy_status check_archive(struct check *check, const struct progress *progress, csy_error *error);

/* Open the trace that a CSV was made from (n files) as check->made_of, or set this to NULL. Returns
 * CSY_USAGE if the CSV does not need this trace, or cannot come from such a format. */
csy_status check_beside_open(struct check *check, const char *const *paths, size_t n,
                             const char *offsets, csy_error *error);

csy_status check_csv(struct check *check, const struct progress *progress, csy_error *error);

/* --- Partial orders (check/check_partial.c)
 *
 * Proves a solution of a trace in partial order, from points (begins and ends of records) in
 * global time: no point precedes its predecessors by more than delta (the timestamp error) allows,
 * and the bounds are right. Matching and sorting use code of the pipeline, but no engine is used.
 *
 * A bound is found by repeated passes over the points. It starts unlimited, and passes tighten it
 * until nothing changes. In global time no constraint is negative, so the result is the tightest
 * bound. */

/* Sort the points after the last event. Returns CSY_CHECK if the order is cyclic. */
csy_status check_visit(struct check *check, csy_error *error);

void check_partial_free(struct check_partial *partial);

csy_status check_partial_event(struct check_partial *partial, const struct event *event,
                               int64_t global_ticks, csy_error *error);

/* After the last event, count the points with an earlier global time than the order permits, in
 * check->inversions. Returns CSY_CHECK if one is larger than delta allows. O(points + edges), with
 * about 80 bytes for each record. */
csy_status check_partial_order(struct check_partial *partial, csy_error *error);

/* Find the earliest and the latest offset of each thread relative to the reference tau. Count
 * threads without both in check->unbounded. O(points + edges) for each pass. */
csy_status check_partial_ends(struct check_partial *partial, size_t tau, csy_error *error);

/* --- Drifting clocks (check/check_drift.c)
 *
 * Proves a solution of a trace with drifting clocks. See doc/algorithms.md, Drift.
 *
 *   rows: local and global times  -->  readings of each clock  -->  points in their order
 *
 * The proof has three parts. First, each clock can run within the allowed rates and show, rounded
 * down, the times that were written; and no point (begin or end of a record) precedes its
 * predecessors by more than delta allows. Second, the bounds of every reading are computed by
 * passes over all points until nothing changes. This uses no engine. Third, the written times
 * are linear between knots, and the knots lie at the fraction alpha between the bounds. */

/* Read the rule from a line "# cellsync". */
csy_status check_drift_read_rule(struct check *check, const struct table_facts *said,
                                 csy_error *error);

/* Begin the proof check->drift. */
csy_status check_drift_new(struct check *check, csy_error *error);
void check_drift_free(struct check_drift *drift);

/* Add the next event, with global times of its end and begin (or NULL) in 1/AGE_UNIT ticks. */
csy_status check_drift_event(struct check_drift *drift, const struct event *event, int128 global,
                             const int128 *begin, csy_error *error);

/* After the last event, prove rates, order, bounds, and offsets, or return CSY_CHECK. Sorts the
 * readings, and then makes passes of O(records + edges). Takes about 200 bytes for each record. */
csy_status check_drift_prove(struct check_drift *drift, size_t tau, csy_error *error);

/* Get the proved range of a clock's global time at a local time, in 1/AGE_UNIT ticks. Returns false
 * if it is unbounded, or no record has this local time. *found: true if bounds were computed. */
bool check_drift_bounds(const struct check_drift *drift, uint32_t clock, int64_t local_ticks,
                        int128 *least, int128 *greatest, bool *found);

void check_drift_fill(const struct check_drift *drift, csy_proof *proof);

#endif
