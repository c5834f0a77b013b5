/* Solves traces with drifting clocks (csy_options_set_drift):
 *
 *   points, in their order --graph/reduce.h--> pairs of readings --graph/ageing.h--> delta, rates,
 *     ages --islands.h--> ages that fit together --clock/knots.h--> global times
 *
 * A trace of one buffer becomes points in this module. A trace in partial order already has points
 * (sync/pipeline/partial.c). See doc/algorithms.md, Drift. */
#ifndef SYNC_DRIFT_DRIFT_H
#define SYNC_DRIFT_DRIFT_H

#include "sync/drift_clocks.h"
#include "sync/solution.h"

/* Survey and solve a trace of one buffer. Returns CSY_INFEASIBLE with a witness. */
csy_status drift_solve_line(struct csy_sync *sync, const csy_options *options,
                            const struct progress *progress, csy_error *error);

/* Solve a trace in partial order from its own points. Returns CSY_INFEASIBLE with a witness. */
csy_status drift_solve_partial(struct csy_sync *sync, const csy_options *options, csy_error *error);

/* A trace with more records is not solved again with other premises. */
enum { DRIFT_TRIAL_RECORDS_MAX = 10000000 };

/* A trial solves a solved trace again with other limits on rates, without changing the solution.
 * *out is NULL if there are too many records, or if the points of a partial order were not kept and
 * cannot be read again. The function drift_trial_new makes a pass over a trace of one buffer. Free
 * the trial by drift_trial_free. */
struct drift_trial;
csy_status drift_trial_new(struct csy_sync *sync, struct drift_trial **out, csy_error *error);
void drift_trial_free(struct drift_trial *trial);

/* Returns false if the trace would be read again and has more than DRIFT_TRIAL_KEPT_MAX records.
 * The function drift_trial_least would then keep too many constraints. */
enum { DRIFT_TRIAL_KEPT_MAX = 100000 };
bool drift_trial_is_bounded(const struct drift_trial *trial);

/* Find the least 2 delta in whole ticks, at least least_ticks, for rates within rate_ppb. Unless
 * wander_ppb is CSY_NO_DRIFT, each rate also stays within wander_ppb of a constant. Records are
 * matched as for the solution's delta. If the result is smaller than that delta, matching anew
 * could only increase the result, and vice versa. *rates_ppb gets rates of the clocks, relative to
 * the reference, that fit within the wander, or NULL without a wander. The rates are valid until
 * the next trial. A search takes about two passes over the points. */
csy_status drift_trial_least(struct drift_trial *trial, int64_t rate_ppb, int64_t wander_ppb,
                             int64_t least_ticks, int64_t *added_ticks, const int64_t **rates_ppb,
                             csy_error *error);

/* Returns the points of the trace, and sets *order to the order of the points. The result is valid
 * until the trial is freed, and NULL if each trial reads the points again. */
const struct points *drift_trial_points(const struct drift_trial *trial, const uint32_t **order);

/* Find the least drift, at most most_ppb, for which 2 delta is at most added_ticks. *ppb is 0 if
 * none was found. The search begins with the rate that the witness requires. Each further step
 * takes the rate that the next cycle requires. There are at most 32 steps, or up to 32 steps for
 * each of 32 networks. If the trace is read again, memory grows with its constraints only in three
 * cases: begins below the previous event of their location, many pending sends, and many clocks
 * with messages only. The search takes up to 32 passes over the points. */
csy_status drift_trial_enough(struct drift_trial *trial, int64_t added_ticks, int64_t most_ppb,
                              int64_t *ppb, csy_error *error);

/* Measure the errors of all records in a pass over the trace. */
csy_status drift_measure(struct csy_sync *sync, const struct progress *progress, csy_error *error);

/* Find the least and greatest age of a clock at a local time, relative to global time. Returns
 * false if the reference does not limit the clock on both sides. */
bool drift_bounds(const struct csy_sync *sync, size_t thread, int64_t local_ticks, int128 *least,
                  int128 *greatest);

/* Do the same as drift_bounds for a clock that the reference limits on one side only, with ages
 * from ageing_bound_from. *after is true if there is a least age, *before if there is a greatest
 * age. */
void drift_sides(const struct csy_sync *sync, const struct ageing *all, size_t thread,
                 int64_t local_ticks, bool *after, bool *before, int128 *least, int128 *greatest);

/* Find the least and greatest global time from reading t to reading s, in parts of AGE_UNIT. *known
 * is false if the clocks do not limit each other on both sides. The search takes two passes, or a
 * few more, over the readings that determine bounds. */
csy_status drift_between(const struct csy_sync *sync, const csy_instant *s, const csy_instant *t,
                         bool *known, int128 *least, int128 *greatest, csy_error *error);

/* Returns the greatest reading of a clock, between its first and last timestamp, whose global time
 * is at most global_ticks. */
int64_t drift_reading_at(const struct csy_sync *sync, size_t thread, int64_t global_ticks);

#endif
