/*
 * The pipeline of clocks that drift (csy_options_set_drift):
 *
 *   points, in their order --graph/reduce.h--> pairs of readings --graph/ageing.h--> delta, rates,
 *     ages --sync/islands.h--> ages that fit together --clock/knots.h--> global times
 *
 * A trace of one buffer becomes points here; one in partial order has them
 * (sync/pipeline/partial.h). doc/algorithms.md, Drift.
 */
#ifndef SYNC_DRIFT_DRIFT_H
#define SYNC_DRIFT_DRIFT_H

#include "sync/drift_clocks.h"
#include "sync/solution.h"

/* Survey and solve a trace of one buffer. CSY_INFEASIBLE with a witness. */
csy_status drift_solve_line(struct csy_sync *sync, const csy_options *options,
                            const struct progress *progress, csy_error *error);

/* Solve a trace in partial order from its own points. CSY_INFEASIBLE with a witness. */
csy_status drift_solve_partial(struct csy_sync *sync, const csy_options *options, csy_error *error);

/* Results under other premises are computed only for traces with at most this many records. */
enum { DRIFT_TRIAL_RECORDS_MAX = 10000000 };

/* Tries other limits on rates for a trace that was solved; the solution stays as it is. *out is
 * NULL if there are more records than that, or if the points of a partial order were not kept
 * and cannot be read again. A pass over a trace of one buffer; none otherwise. Call
 * drift_trial_free. */
struct drift_trial;
csy_status drift_trial_new(struct csy_sync *sync, struct drift_trial **out, csy_error *error);
void drift_trial_free(struct drift_trial *trial);

/* False if drift_trial_least would keep constraints of a trace that is read again and has more
 * records than this. */
enum { DRIFT_TRIAL_KEPT_MAX = 100000 };
bool drift_trial_is_bounded(const struct drift_trial *trial);

/* The least 2 delta in whole ticks, at least least_ticks, for rates within rate_ppb. If wander_ppb
 * is not CSY_NO_DRIFT, each rate also stays within wander_ppb of a constant. Records are matched as
 * for the solution's delta. If the least 2 delta is smaller than the solution's, matching anew
 * could only make it greater, and vice versa. *rates_ppb: rates of the clocks within a wander that
 * fit, relative to the reference, valid until the next trial; NULL without a wander. About two
 * passes over the points. */
csy_status drift_trial_least(struct drift_trial *trial, int64_t rate_ppb, int64_t wander_ppb,
                             int64_t least_ticks, int64_t *added_ticks, const int64_t **rates_ppb,
                             csy_error *error);

/* The points of the trace and their order, valid until the trial is freed. NULL if each trial reads
 * them again. */
const struct points *drift_trial_points(const struct drift_trial *trial, const uint32_t **order);

/* The least drift found, at most most_ppb, for which 2 delta is at most added_ticks; *ppb is 0 if
 * none was found. The search begins with the rate that the witness requires, and raises it to the
 * rate that the next cycle requires, at most 32 times, or as often for each of 32 networks. If the
 * trace is read again, memory does not grow with its constraints, with three exceptions: begins
 * with timestamps below the previous event of their location, many pending sends, or many clocks
 * with messages only. Up to 32 passes over the points. */
csy_status drift_trial_enough(struct drift_trial *trial, int64_t added_ticks, int64_t most_ppb,
                              int64_t *ppb, csy_error *error);

/* Measure the errors of all records, in a pass over the trace. */
csy_status drift_measure(struct csy_sync *sync, const struct progress *progress, csy_error *error);

/* The least and the greatest age of a clock at a local time, relative to global time; false if the
 * reference does not bound it. */
bool drift_bounds(const struct csy_sync *sync, size_t thread, int64_t local_ticks, int128 *least,
                  int128 *greatest);

/* The same for a clock that the reference bounds on one side only, from the ages that
 * ageing_bound_from found. *after and *before: there is a least age, a greatest age. */
void drift_sides(const struct csy_sync *sync, const struct ageing *all, size_t thread,
                 int64_t local_ticks, bool *after, bool *before, int128 *least, int128 *greatest);

/* The least and the greatest global time of reading s minus that of reading t, in parts of
 * AGE_UNIT. *known is false if s and t do not bound each other on both sides. Cost: two passes, or
 * a few more, over the readings that bounds rest on. */
csy_status drift_between(const struct csy_sync *sync, const csy_instant *s, const csy_instant *t,
                         bool *known, int128 *least, int128 *greatest, csy_error *error);

/* The greatest reading of a clock with a global time of at most this, from its first timestamp to
 * its last. */
int64_t drift_reading_at(const struct csy_sync *sync, size_t thread, int64_t global_ticks);

/* Find the errors of all pairs of clocks at moments, for drift->peers: as csy_sync_drift_pair. */
csy_status drift_find_pairs(struct csy_sync *sync, bool walks, csy_error *error);

#endif
