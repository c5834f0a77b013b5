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
struct match;
struct points;

/* Begin to match the events of a trace. The latencies apply to messages that state none. Every
 * record is stored, because each may be an inversion. */
csy_status check_match(const struct check *check, struct points *points, int64_t latency_ticks,
                       int64_t latency_max_ticks, struct match **out, csy_error *error);

/* Sort the points after the last event; the caller frees *order. `match` is NULL for the order of
 * one buffer. CSY_CHECK if the order contains a cycle. */
csy_status check_visit(const struct check *check, struct match *match, struct points *points,
                       uint32_t **order, csy_error *error);

/* Begin a proof. The latencies apply to messages that state none; a latency_max_ticks of INT64_MAX
 * is no limit. */
csy_status check_partial_new(struct check *check, int64_t latency_ticks, int64_t latency_max_ticks,
                             struct check_partial **out, csy_error *error);
void check_partial_free(struct check_partial *partial);

/* Add the next event and its global time. */
csy_status check_partial_event(struct check_partial *partial, const struct event *event,
                               int64_t global_ticks, csy_error *error);

/* Count the inversions after the last event, and store the counts in check->inversions. CSY_CHECK
 * if an inversion is larger than delta allows. O(points + edges), with about 80 bytes of memory for
 * each record. */
csy_status check_partial_order(struct check_partial *partial, csy_error *error);

/* Find the bounds of all threads relative to tau, and the number of threads that are not bounded on
 * both sides. O(points + edges) for each change of threads on a shortest walk. */
csy_status check_partial_ends(struct check_partial *partial, size_t tau, csy_error *error);

#endif
