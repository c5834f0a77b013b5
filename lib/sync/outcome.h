/*
 * What every way of solving ends with: delta as it was found, or the trace refused for it; ends of
 * bounds, and figures.
 */
#ifndef SYNC_OUTCOME_H
#define SYNC_OUTCOME_H

#include "bounds/pair_stats.h"
#include "sync/solution.h"

/* 2 delta is twice, the options' or found.  CSY_INPUT where it is beyond 64 bits. */
csy_status outcome_set_imprecision(struct csy_sync *sync, csy_relax relax, csy_fraction twice,
                                   csy_error *error);

/* CSY_INFEASIBLE: the witness, which is set, needs more than the options give. */
csy_status outcome_refuse(const struct csy_sync *sync, const csy_options *options,
                          csy_error *error);

/* CSY_INFEASIBLE: rates within the wander need a delta of `least`, and the options give less. */
csy_status outcome_refuse_wander(const struct csy_sync *sync, const csy_options *options,
                                 csy_fraction least, csy_error *error);

/* Count a record that is so far below what it comes after; 0 and less: it is not. */
void outcome_note_inversion(csy_imprecision *imprecision, int128 down);

/* earliest and latest offsets of the views, whose offsets are set, out of from[t] = wbar(tau,t) and
 * to[t] = wbar(t,tau).  CSY_INPUT where they leave 64 bits. */
csy_status outcome_set_ends(struct csy_sync *sync, const int64_t *from, const int64_t *to,
                            csy_error *error);

/* The summary, but for unbounded_threads; known: the bounds to the reference and from it, or NULL.
 * steps_max: of struct statistics_effort. */
csy_status outcome_gather_figures(struct csy_sync *sync, const struct pair_known *known,
                                  uint64_t steps_max, csy_error *error);

#endif
