/*
 * What csy_check proves of a trace in partial order, out of its points in global time: that none is
 * further before what it comes after than delta allows, and what the ends of bounds are.
 *
 * Matching and visiting are those of the pipeline; no engine takes part.  Ends are found by walks
 * that only ever shorten an end's distance from its offset, from unbounded on, until none does; no
 * constraint is below 0 there, so what is left is the shortest walks.
 */
#ifndef CHECK_CHECK_PARTIAL_H
#define CHECK_CHECK_PARTIAL_H

#include "check/check.h"

struct check_partial;

/* latency_ticks: of messages that do not say their own. */
csy_status check_partial_new(struct check *check, int64_t latency_ticks, struct check_partial **out,
                             csy_error *error);
void check_partial_free(struct check_partial *partial);

/* The next event, and its global time. */
csy_status check_partial_event(struct check_partial *partial, const struct event *event,
                               int64_t global_ticks, csy_error *error);

/* All events have come: inversions, into check.  CSY_CHECK where one is larger than delta allows.
 * O(points + edges), which are kept in memory: some 80 bytes a record. */
csy_status check_partial_order(struct check_partial *partial, csy_error *error);

/* The ends of the table's bounds, tau being the reference, and how many threads are not bounded on
 * both sides.  As often as a shortest walk changes between threads, O(points + edges). */
csy_status check_partial_ends(struct check_partial *partial, size_t tau, csy_error *error);

#endif
