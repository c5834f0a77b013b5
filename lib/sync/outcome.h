/* The last steps of every solver: set delta or refuse the trace, set the limits of offsets, and
 * compute figures. */
#ifndef SYNC_OUTCOME_H
#define SYNC_OUTCOME_H

#include "bounds/pair_stats.h"
#include "sync/solution.h"

/* Set delta from `twice`, which is 2 delta. Returns CSY_INPUT if delta exceeds 64 bits. */
csy_status outcome_set_imprecision(struct csy_sync *sync, csy_relax relax, csy_fraction twice,
                                   csy_error *error);

/* Report that the witness needs more than the given delta. The witness must be set. Returns
 * CSY_INFEASIBLE. */
csy_status outcome_refuse(const struct csy_sync *sync, const csy_options *options,
                          csy_error *error);

/* Report that rates within the wander need a delta of at least `least`. Returns CSY_INFEASIBLE. */
csy_status outcome_refuse_wander(const struct csy_sync *sync, const csy_options *options,
                                 csy_fraction least, csy_error *error);

/* Count an inversion of `down` ticks below a preceding record; none if `down` <= 0. */
void outcome_note_inversion(csy_imprecision *imprecision, int128 down);

/* Set the earliest and latest offsets of the views, from the bounds from[t] = wbar(tau,t) and to[t]
 * = wbar(t,tau). The offsets must be set. Returns CSY_INPUT if the results exceed 64 bits. */
csy_status outcome_set_ends(struct csy_sync *sync, const int64_t *from, const int64_t *to,
                            csy_error *error);

/* Complete the summary, except unbounded_threads. The parameter `known` has the bounds to and from
 * the reference, or is NULL. For steps_max, see struct statistics_effort. */
csy_status outcome_gather_figures(struct csy_sync *sync, const struct pair_known *known,
                                  uint64_t steps_max, csy_error *error);

#endif
