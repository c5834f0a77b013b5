/*
 * The pipeline of clocks that drift (csy_options_set_drift):
 *
 *   points, in their order --graph/reduce.h--> pairs of readings --graph/ageing.h--> delta, rates,
 *     ages --sync/islands.h--> ages that fit together --clock/knots.h--> global times
 *
 * A trace of one buffer becomes points here; one in partial order has them
 * (sync/pipeline/partial.h). cellsync-model(7), Drift.
 */
#ifndef SYNC_DRIFT_DRIFT_H
#define SYNC_DRIFT_DRIFT_H

#include "sync/drift_clocks.h"
#include "sync/solution.h"

/* Survey and solve a trace of one buffer.  CSY_INFEASIBLE with a witness. */
csy_status drift_solve_line(struct csy_sync *sync, const csy_options *options,
                            const struct progress *progress, csy_error *error);

/* The same of a trace in partial order, of its own points. */
csy_status drift_solve_partial(struct csy_sync *sync, const csy_options *options, csy_error *error);

/* Other premises are tried for at most this many records. */
enum { DRIFT_TRIAL_RECORDS_MAX = 10000000 };

/* Tries other limits on rates for a trace that was solved; the solution stays as it is. *out is
 * NULL if there are more records than that, or points of a partial order were not kept and cannot
 * be gone over again. A pass over a trace of one buffer; none otherwise. Call drift_trial_free. */
struct drift_trial;
csy_status drift_trial_new(struct csy_sync *sync, struct drift_trial **out, csy_error *error);
void drift_trial_free(struct drift_trial *trial);

/* The least 2 delta in whole ticks, at least least_ticks, for rates within rate_ppb, which also
 * stay within wander_ppb of a constant unless that is CSY_NO_DRIFT. Records are matched as for the
 * solution's delta: the 2 delta for which they would be matched anew can only be greater if it is
 * smaller than the solution's, and only be smaller if it is greater. About two passes over the
 * points. */
csy_status drift_trial_least(struct drift_trial *trial, int64_t rate_ppb, int64_t wander_ppb,
                             int64_t least_ticks, int64_t *added_ticks, csy_error *error);

/* The points of the trace and their order, until the trial is freed; NULL: they are gone over again
 * for each trial. */
const struct points *drift_trial_points(const struct drift_trial *trial, const uint32_t **order);

/* How much clocks have to drift for 2 delta to be at most added_ticks, at most most_ppb: from what
 * the witness needs on, the rate is raised to what the next cycle needs, at most 32 times, or as
 * often for each of 32 networks. *ppb 0: none was found. What is gone over again takes memory that
 * does not grow with its constraints, unless the timestamp of a begin is below what precedes it on
 * its location, many sends are open at once, or many clocks have messages only. Up to 32 passes
 * over the points. */
csy_status drift_trial_enough(struct drift_trial *trial, int64_t added_ticks, int64_t most_ppb,
                              int64_t *ppb, csy_error *error);

/* Errors of records: a pass over the trace. */
csy_status drift_measure(struct csy_sync *sync, const struct progress *progress, csy_error *error);

/* The ages of a clock at a local time, for global times: the least and the greatest; false where
 * the reference does not bound it. */
bool drift_bounds(const struct csy_sync *sync, size_t thread, int64_t local_ticks, int128 *least,
                  int128 *greatest);

/* The global time of a reading of s less that of one of t: the least and the greatest, in parts of
 * AGE_UNIT.  *known: false where s and t do not bound each other on both sides.  Cost: two passes
 * over the readings that bounds rest on, or more, where walks turn. */
csy_status drift_between(const struct csy_sync *sync, const csy_instant *s, const csy_instant *t,
                         bool *known, int128 *least, int128 *greatest, csy_error *error);

/* The greatest reading of a clock with a global time of at most this, from its first timestamp to
 * its last. */
int64_t drift_reading_at(const struct csy_sync *sync, size_t thread, int64_t global_ticks);

/* Find the errors of all pairs of clocks at moments, for drift->peers: as csy_sync_drift_pair. */
csy_status drift_find_pairs(struct csy_sync *sync, bool walks, csy_error *error);

#endif
