/* Computes the earliest time of each point that earlier points and latencies permit. Backwards, it
 * computes the latest time that later points permit.
 *
 * Each clock has a start, which is added to the times of its points. If the starts are offsets of
 * clocks, the sums are global times. */
#ifndef ORDER_KNOWN_H
#define ORDER_KNOWN_H

#include "clock/points.h"

/* KNOWN_NONE as a start excludes the clock. As a result, it means that no limit is known. */
#define KNOWN_NONE INT64_MIN

/* Receives a point that is not a hub, and a limit of its time. Forwards, `known` is the earliest
 * time that earlier points permit; backwards, minus the latest time that later points permit. */
typedef csy_status (*known_show)(void *user, uint32_t point, int64_t known, csy_error *error);

/* Pass all points except hubs to `show`, in the order of visit_order or in reverse. `start` has an
 * entry for each clock; `show` may change the entries. Returns CSY_INPUT if a sum exceeds 64 bits.
 * Time: O(points + edges). Memory: 8 bytes for each point. */
csy_status known_walk(const struct points *points, const uint32_t *order, bool forwards,
                      const int64_t *start, known_show show, void *user, csy_error *error);

/* Pass to `show` what each limit (struct order_limit) implies: forwards for its earlier point,
 * backwards for its later point. Call known_walk before; errors are the same. */
csy_status known_limits(const struct points *points, bool forwards, const int64_t *start,
                        known_show show, void *user, csy_error *error);

struct known_inversions {
    /* number of records that end too early: before the time that earlier points require */
    uint64_t records;
    int64_t largest_ticks; /* greatest number of ticks that a record ends too early */
    uint32_t first;        /* first point that is more than allowed_ticks too early, or NO_POINT */
};

/* Find records with times that contradict the order. Errors and cost are as for known_walk. */
csy_status known_find_inversions(const struct points *points, const uint32_t *order,
                                 const int64_t *start, int64_t allowed_ticks,
                                 struct known_inversions *out, csy_error *error);

#endif
