/* Proves a solution of a trace in partial order, from points (begins and ends of records) in
 * global time: no point precedes its predecessors by more than delta (the timestamp error) allows,
 * and the bounds are right. Matching and sorting use code of the pipeline, but no engine is used.
 *
 * A bound is found by repeated passes over the points. It starts unlimited, and passes tighten it
 * until nothing changes. In global time no constraint is negative, so the result is the tightest
 * bound. */
#ifndef CHECK_CHECK_PARTIAL_H
#define CHECK_CHECK_PARTIAL_H

#include "check/check.h"

struct check_partial;
struct match;
struct points;

/* Begin to match the events of a trace. The latencies apply to messages that state none. Each
 * record gets points, because each may be an inversion. */
csy_status check_match(const struct check *check, struct points *points, int64_t latency_ticks,
                       int64_t latency_max_ticks, struct match **out, csy_error *error);

/* Sort the points after the last event; the caller frees *order. `match` is NULL for the order of
 * one buffer. Returns CSY_CHECK if the order is cyclic. */
csy_status check_visit(const struct check *check, struct match *match, struct points *points,
                       uint32_t **order, csy_error *error);

/* Begin a proof. The latencies apply to messages that state none; INT64_MAX means no longest
 * latency. */
csy_status check_partial_new(struct check *check, int64_t latency_ticks, int64_t latency_max_ticks,
                             struct check_partial **out, csy_error *error);
void check_partial_free(struct check_partial *partial);

/* Add the next event with its global time. */
csy_status check_partial_event(struct check_partial *partial, const struct event *event,
                               int64_t global_ticks, csy_error *error);

/* After the last event, count the inversions in check->inversions. Returns CSY_CHECK if an
 * inversion is larger than delta allows. O(points + edges), with about 80 bytes for each record. */
csy_status check_partial_order(struct check_partial *partial, csy_error *error);

/* Find the bounds of all threads relative to the reference tau, and count the threads that are not
 * bounded on both sides. O(points + edges) for each pass. */
csy_status check_partial_ends(struct check_partial *partial, size_t tau, csy_error *error);

#endif
