/* The last steps of every solver: set delta (the timestamp error) or refuse the trace, set the
 * limits of offsets, and compute the figures of the summary. */
#ifndef SYNC_OUTCOME_H
#define SYNC_OUTCOME_H

#include "bounds/pair_stats.h"
#include "sync/solution.h"

/* Set delta to half of `twice`. Returns CSY_INPUT if delta exceeds 64 bits. */
csy_status outcome_set_imprecision(struct csy_sync *sync, csy_relax relax, csy_fraction twice,
                                   csy_error *error);

/* Report that sync->witness, a contradiction, needs a greater delta. Returns CSY_INFEASIBLE. */
csy_status outcome_refuse(const struct csy_sync *sync, const csy_options *options,
                          csy_error *error);

/* Report that rates within --wander need a delta of at least `least`. Returns CSY_INFEASIBLE. */
csy_status outcome_refuse_wander(const struct csy_sync *sync, const csy_options *options,
                                 csy_fraction least, csy_error *error);

/* Count an inversion if a record is `down` > 0 ticks before a preceding record in global time. */
void outcome_note_inversion(csy_imprecision *imprecision, int128 down);

/* Set the earliest and latest offset of each clock, which must have an offset. The reference's
 * offset minus the clock's is at most from[t] and at least -to[t]. Returns CSY_INPUT on
 * overflow. */
csy_status outcome_set_ends(struct csy_sync *sync, const int64_t *from, const int64_t *to,
                            csy_error *error);

/* Complete the summary, except the member unbounded_threads. Bounds that would take more than
 * steps_max steps are not computed. `known` has the bounds between the reference and the other
 * clocks, or is NULL. */
csy_status outcome_gather_figures(struct csy_sync *sync, const struct pair_known *known,
                                  uint64_t steps_max, csy_error *error);

#endif
