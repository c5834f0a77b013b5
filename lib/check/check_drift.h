/* The proof for a trace with drifting clocks. See doc/algorithms.md, Drift.
 *
 *   rows: local and global times  -->  readings of each clock  -->  points in their order
 *
 * The proof has three parts. First, each clock can run within the allowed rates and show, rounded
 * down, what was written, and no point precedes its predecessors by more than delta allows. Second,
 * the bounds of every reading are computed by passes over all points, with the rates of clocks,
 * until nothing changes. This needs no pairs of clocks, no pruned constraints, and no engine.
 * Third, the knots of the written times are where alpha puts them. */
#ifndef CHECK_CHECK_DRIFT_H
#define CHECK_CHECK_DRIFT_H

#include "check/check.h"

struct check_drift;

/* Limits of clock rates in parts of 10^9, and latencies of messages that state none. If wander_ppb
 * is not CSY_NO_DRIFT, neither bounds nor places are proved. interpolated: times lie on lines
 * between written knots, so they may be up to a tick early, and the caller checks the origin. */
struct check_drift_rule {
    int64_t rate_ppb, wander_ppb, latency_ticks;
    int64_t latency_max_ticks; /* INT64_MAX: no limit */
    bool interpolated;
};

/* Read the rule from a line of facts. rate_ppb becomes CSY_NO_DRIFT if clocks do not drift. */
csy_status check_drift_read_rule(const struct csy_trace *trace, const struct table_facts *said,
                                 struct check_drift_rule *rule, csy_error *error);

csy_status check_drift_new(struct check *check, const struct check_drift_rule *rule,
                           struct check_drift **out, csy_error *error);
void check_drift_free(struct check_drift *drift);

/* Add the next event with its global time, in units of 1/AGE_UNIT tick. begin: the global time of
 * its begin in the same units, or NULL. */
csy_status check_drift_event(struct check_drift *drift, const struct event *event, int128 global,
                             const int128 *begin, csy_error *error);

/* Prove rates, order, bounds, and places after the last event. tau: the reference. CSY_CHECK if
 * something is wrong. Sorts the readings, then takes O(records + edges) for each time that a walk
 * from the reference turns back in time. About 200 bytes for each record. */
csy_status check_drift_prove(struct check_drift *drift, size_t tau, csy_error *error);

/* Get the least and the greatest global time that the events allow for a reading of a clock, in
 * units of 1/AGE_UNIT tick. Call this after the proof. Returns false if the clock is not bounded on
 * both sides, or has no such reading. If *found is false, nothing is known. */
bool check_drift_bounds(const struct check_drift *drift, uint32_t clock, int64_t local_ticks,
                        int128 *least, int128 *greatest, bool *found);

/* Set the results about clocks. */
void check_drift_fill(const struct check_drift *drift, csy_proof *proof);

#endif
