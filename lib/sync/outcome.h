/* The last steps of every solver: setting delta or refusing the trace, setting the ends of bounds,
 * and computing figures. */
#ifndef SYNC_OUTCOME_H
#define SYNC_OUTCOME_H

#include "bounds/pair_stats.h"
#include "sync/solution.h"

/* Set delta; twice is 2 delta, given or found. CSY_INPUT if it exceeds 64 bits. */
csy_status outcome_set_imprecision(struct csy_sync *sync, csy_relax relax, csy_fraction twice,
                                   csy_error *error);

/* CSY_INFEASIBLE with a message: the witness, which must be set, needs more than the given
 * delta. */
csy_status outcome_refuse(const struct csy_sync *sync, const csy_options *options,
                          csy_error *error);

/* The same if rates within the wander require a delta of at least `least`. */
csy_status outcome_refuse_wander(const struct csy_sync *sync, const csy_options *options,
                                 csy_fraction least, csy_error *error);

/* Count a record that is `down` ticks below a record that precedes it; ignored if `down` <= 0. */
void outcome_note_inversion(csy_imprecision *imprecision, int128 down);

/* Set the earliest and latest offsets of the views from from[t] = wbar(tau,t) and to[t] =
 * wbar(t,tau); the offsets must be set. CSY_INPUT if they exceed 64 bits. */
csy_status outcome_set_ends(struct csy_sync *sync, const int64_t *from, const int64_t *to,
                            csy_error *error);

/* Complete the summary, except unbounded_threads. known has the bounds to and from the reference,
 * or is NULL. steps_max: see struct statistics_effort. */
csy_status outcome_gather_figures(struct csy_sync *sync, const struct pair_known *known,
                                  uint64_t steps_max, csy_error *error);

#endif
