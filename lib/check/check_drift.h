/* Proves a solution of a trace with drifting clocks. See doc/algorithms.md, Drift.
 *
 *   rows: local and global times  -->  readings of each clock  -->  points in their order
 *
 * The proof has three parts. First, each clock can run within the allowed rates and show, rounded
 * down, the times that were written; and no point (begin or end of a record) precedes its
 * predecessors by more than delta allows. Second, the bounds of every reading are computed by
 * passes over all points until nothing changes. This uses no engine. Third, the knots of the
 * written times, between which global time is linear, are where alpha puts them. */
#ifndef CHECK_CHECK_DRIFT_H
#define CHECK_CHECK_DRIFT_H

#include "check/check.h"

struct check_drift;

/* Limits of clock rates in ppb, and latencies of messages that state none. Unless wander_ppb is
 * CSY_NO_DRIFT, only rates and order are proved. If `interpolated` is true, global times may be up
 * to a tick early, and the caller checks where global time begins. */
struct check_drift_rule {
    int64_t rate_ppb, wander_ppb, latency_ticks;
    int64_t latency_max_ticks; /* longest latency in ticks; INT64_MAX: no limit */
    bool interpolated;
};

/* Read the rule from a line of facts. If clocks do not drift, rate_ppb becomes CSY_NO_DRIFT. */
csy_status check_drift_read_rule(const struct csy_trace *trace, const struct table_facts *said,
                                 struct check_drift_rule *rule, csy_error *error);

csy_status check_drift_new(struct check *check, const struct check_drift_rule *rule,
                           struct check_drift **out, csy_error *error);
void check_drift_free(struct check_drift *drift);

/* Add the next event with its global time, in units of 1/AGE_UNIT ticks. `begin` is the global time
 * of its begin, or NULL. */
csy_status check_drift_event(struct check_drift *drift, const struct event *event, int128 global,
                             const int128 *begin, csy_error *error);

/* After the last event, prove rates, order, bounds, and places. tau is the reference. Returns
 * CSY_CHECK if something is wrong. This sorts the readings, then takes O(records + edges) for each
 * pass, and about 200 bytes for each record. */
csy_status check_drift_prove(struct check_drift *drift, size_t tau, csy_error *error);

/* After the proof, get the least and greatest global time of a clock's reading, in units of
 * 1/AGE_UNIT ticks. Returns false if the reading is not bounded on both sides or does not exist.
 * *found is false if bounds were not computed. */
bool check_drift_bounds(const struct check_drift *drift, uint32_t clock, int64_t local_ticks,
                        int128 *least, int128 *greatest, bool *found);

/* Set the members of the proof that are about drifting clocks. */
void check_drift_fill(const struct check_drift *drift, csy_proof *proof);

#endif
