/* Solves traces with drifting clocks (csy_options_set_drift):
 *
 *   points in their order      begins and ends of records
 *     --graph/reduce.h-->      pairs of points that limit each other
 *     --graph/ageing.h-->      delta (the timestamp error), limits of rates and of ages
 *     --partial/islands.h-->   ages of clocks that do not limit each other
 *     --clock/knots.h-->       global times
 *
 * An arrow is a module, and to its right is its result. The age of a clock at a local time is
 * global minus local time. Points come from this module for a trace of one buffer, and from
 * sync/pipeline/partial.c for a trace in partial order. See doc/algorithms.md, Drift. */
#ifndef SYNC_DRIFT_DRIFT_H
#define SYNC_DRIFT_DRIFT_H

#include "sync/drift_clocks.h"
#include "sync/solution.h"

/* Read and solve one buffer. If clocks contradict its order, set the witness (the contradictory
 * constraints) and return CSY_INFEASIBLE. */
csy_status drift_solve_line(struct csy_sync *sync, const csy_options *options,
                            const struct progress *progress, csy_error *error);

/* Solve a trace in partial order. Returns CSY_INFEASIBLE as drift_solve_line does. */
csy_status drift_solve_partial(struct csy_sync *sync, const csy_options *options, csy_error *error);

/* Traces with more records are not solved again with other limits of clock rates. */
enum { DRIFT_TRIAL_RECORDS_MAX = 10000000 };

/* Prepare to solve a trace again with other limits of clock rates; the solution does not change. A
 * trace of one buffer is read for this. *out becomes NULL if the trace has more than
 * DRIFT_TRIAL_RECORDS_MAX records, or if its events are not stored. */
struct drift_trial;
csy_status drift_trial_new(struct csy_sync *sync, struct drift_trial **out, csy_error *error);
void drift_trial_free(struct drift_trial *trial);

/* Returns false if the trace has more than DRIFT_TRIAL_KEPT_MAX records. Then drift_trial_least
 * would store too many constraints, so the trace must be read again. */
enum { DRIFT_TRIAL_KEPT_MAX = 100000 };
bool drift_trial_is_bounded(const struct drift_trial *trial);

/* Find twice the least timestamp error, but at least least_ticks, for clock rates within rate_ppb.
 * Unless wander_ppb is CSY_NO_DRIFT, each clock's rate must stay within wander_ppb of a constant
 * rate. *rates_ppb becomes these constant rates, valid until the next call, or NULL. *added_ticks
 * becomes -1 if the search for constant rates was given up, because it took too long. Otherwise,
 * takes about two passes over the events. */
csy_status drift_trial_least(struct drift_trial *trial, int64_t rate_ppb, int64_t wander_ppb,
                             int64_t least_ticks, int64_t *added_ticks, const int64_t **rates_ppb,
                             csy_error *error);

/* Returns the events of the trace. *order gets an order with each event after all events that
 * precede it. Both are valid until the trial is freed. Returns NULL if events are not stored. */
const struct points *drift_trial_points(const struct drift_trial *trial, const uint32_t **order);

/* Find the least drift, in ppb, for which timestamp errors of added_ticks / 2 are enough. *ppb
 * becomes 0 if it would exceed most_ppb. Reads the stored events up to 32 times. */
csy_status drift_trial_enough(struct drift_trial *trial, int64_t added_ticks, int64_t most_ppb,
                              int64_t *ppb, csy_error *error);

/* Read the trace, and measure the errors of the global times of all records. */
csy_status drift_measure(struct csy_sync *sync, const struct progress *progress, csy_error *error);

/* Find the least and greatest possible value of global minus local time (the age) of a clock at
 * local_ticks, in units of 1/AGE_UNIT ticks. Returns false if the reference does not limit the
 * clock on both sides. */
bool drift_bounds(const struct csy_sync *sync, size_t thread, int64_t local_ticks, int128 *least,
                  int128 *greatest);

/* Do the same as drift_bounds, but also for a clock with only a lower or only an upper limit.
 * ageing_bound_from must have filled `all`. *after becomes true if *least is valid, *before if
 * *greatest is valid. */
void drift_sides(const struct csy_sync *sync, const struct ageing *all, size_t thread,
                 int64_t local_ticks, bool *after, bool *before, int128 *least, int128 *greatest);

/* Returns the latest local time of the clock with a global time of at most global_ticks. The result
 * is not before the clock's first timestamp, and not after its last one. */
int64_t drift_reading_at(const struct csy_sync *sync, size_t thread, int64_t global_ticks);

/* For each record where a clock may have been set (set_records.c): narrow the bounds of its global
 * time, and move the record to the fraction sync->alpha between them, as far as the order of
 * records allows. Other records stay. All clocks must have offsets and bounds. If clocks do not
 * drift, the trace must be in partial order. O(pairs s) for s such records. */
csy_status set_records_place(struct csy_sync *sync, csy_error *error);

#endif
