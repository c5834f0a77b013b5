/* The proof for a partial order, from points in global time: no point precedes its predecessors by
 * more than delta allows, and the ends of bounds are right. Matching and visiting use code of the
 * pipeline, but no engine is used.
 *
 * Ends are found by passes. An end starts unbounded. Passes only shorten its distance from the
 * offset, until none changes. In global time no constraint is below 0, so the result is the
 * shortest walks. */
#ifndef CHECK_CHECK_PARTIAL_H
#define CHECK_CHECK_PARTIAL_H

#include "check/check.h"

struct check_partial;

/* Begin a proof. Latencies apply to messages that state none; a longest latency of INT64_MAX is no
 * limit. */
csy_status check_partial_new(struct check *check, int64_t latency_ticks, int64_t latency_max_ticks,
                             struct check_partial **out, csy_error *error);
void check_partial_free(struct check_partial *partial);

/* Add the next event and its global time. */
csy_status check_partial_event(struct check_partial *partial, const struct event *event,
                               int64_t global_ticks, csy_error *error);

/* Store, after the last event, the inversions in check. CSY_CHECK if one is larger than delta
 * allows. O(points + edges), all in memory: some 80 bytes for each record. */
csy_status check_partial_order(struct check_partial *partial, csy_error *error);

/* Find the ends of the table's bounds, with reference tau, and the number of threads not bounded on
 * both sides. O(points + edges) for each time that a shortest walk changes between threads. */
csy_status check_partial_ends(struct check_partial *partial, size_t tau, csy_error *error);

#endif
