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

/* More records are not looked at for a drift that is enough. */
enum { DRIFT_ENOUGH_RECORDS_MAX = 10000000 };

/* Of a trace that was solved without drift: how much its clocks have to drift for 2 delta to be
 * no more than added_ticks, from a witness's least on, which is raised to that of the next one,
 * at most 32 times, or as often of each of 32 networks; 0: none up to most_ppb was found, there
 * are more records than that, or not all points of a partial order were kept, nor can be gone
 * over again.  What can be is gone over in memory that does not grow with its constraints,
 * unless a begin is stamped before what precedes it on its location, many sends are open at once,
 * or many clocks have messages only.  A pass over a trace of one buffer, and up to 32 over its
 * points. */
csy_status drift_find_enough(struct csy_sync *sync, int64_t added_ticks, int64_t most_ppb,
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

#endif
