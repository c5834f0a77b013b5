/*
 * What csy_check proves of a trace whose clocks drift.  cellsync-model(7), Drift.
 *
 *   rows: local and global times --> readings of each clock --> points in their order
 *
 * Of every clock there is one that gains or loses no more than is said and reads, rounded down,
 * what was written; no point is further before what it comes after than delta allows.  Then the
 * bounds of every reading are found, by walks over all points in turn with the rates of clocks,
 * until nothing changes: no pair of clocks, no constraint that is pruned, no engine.  Where the
 * written times bend, they are where alpha puts them.
 */
#ifndef CHECK_CHECK_DRIFT_H
#define CHECK_CHECK_DRIFT_H

#include "check/check.h"

struct check_drift;

/* How clocks may run, in parts of 10^9; wander_ppb: CSY_NO_DRIFT where rates may change at will,
 * else bounds are not proved.  latency_ticks: of messages that do not say their own.  interpolated:
 * times are those between kinks that are written, and so up to a tick before what they were; where
 * they begin the caller has seen to. */
struct check_drift_rule {
    int64_t rate_ppb, wander_ppb, latency_ticks;
    bool interpolated;
};

/* What a line of facts says of that; rate_ppb is CSY_NO_DRIFT where clocks do not drift. */
csy_status check_drift_read_rule(const struct csy_trace *trace, const struct table_facts *said,
                                 struct check_drift_rule *rule, csy_error *error);

csy_status check_drift_new(struct check *check, const struct check_drift_rule *rule,
                           struct check_drift **out, csy_error *error);
void check_drift_free(struct check_drift *drift);

/* The next event, its global time, and that of its begin, NULL if it has none: in parts of
 * AGE_UNIT. */
csy_status check_drift_event(struct check_drift *drift, const struct event *event, int128 global,
                             const int128 *begin, csy_error *error);

/* All events have come, tau being the reference.  CSY_CHECK where something does not hold.  Some
 * 200 bytes a record; O(records + edges) as often as a walk from the reference turns back in time,
 * and the sorting of readings. */
csy_status check_drift_prove(struct check_drift *drift, size_t tau, csy_error *error);

/* Once that is proved: what the events leave to the age of a clock, its global time less its local
 * one, at one of its readings; in parts of AGE_UNIT.  false: it is not bounded on both sides, there
 * is no such reading, or *found is false and nothing is known. */
bool check_drift_bounds(const struct check_drift *drift, uint32_t clock, int64_t local_ticks,
                        int128 *least, int128 *greatest, bool *found);

/* What was proved of the clocks. */
void check_drift_tell(const struct check_drift *drift, csy_proof *proof);

#endif
