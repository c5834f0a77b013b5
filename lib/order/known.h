/* Computes, for each point, the latest time that earlier points and latencies imply for it.
 * Backwards, it computes what later points imply.
 *
 * Times are start + x, with one start for each clock. If starts are offsets, these are global
 * times. */
#ifndef ORDER_KNOWN_H
#define ORDER_KNOWN_H

#include "clock/points.h"

/* As a start, KNOWN_NONE ignores the clock. As a result, it means that nothing is known about a
 * point. */
#define KNOWN_NONE INT64_MIN

/* Receives a point that is not a hub. Forwards, `known` is the greatest start + lo + latencies of
 * earlier points. Backwards, `known` is the greatest latencies - start - hi of later points. */
typedef csy_status (*known_show)(void *user, uint32_t point, int64_t known, csy_error *error);

/* Show all points except hubs in the order of visit_order, or in reverse. `start` has an entry for
 * each clock, which the function `show` may change. Returns CSY_INPUT if a sum exceeds 64 bits.
 * Time: O(points + edges). Memory: 8 bytes for each point. */
csy_status known_walk(const struct points *points, const uint32_t *order, bool forwards,
                      const int64_t *start, known_show show, void *user, csy_error *error);

/* Show, after known_walk, what each limit implies. Forwards: start + lo - limit for the earlier
 * point. Backwards: -limit - start - hi for the later point. Returns errors like known_walk. */
csy_status known_limits(const struct points *points, bool forwards, const int64_t *start,
                        known_show show, void *user, csy_error *error);

struct known_inversions {
    /* number of stored records that end before the time of a point that precedes them */
    uint64_t records;
    int64_t largest_ticks; /* greatest of the differences between these times */
    uint32_t first;        /* first point with a difference that is not allowed, or NO_POINT */
};

/* Find the inversions at these starts. Errors and cost are the same as for known_walk. */
csy_status known_find_inversions(const struct points *points, const uint32_t *order,
                                 const int64_t *start, int64_t allowed_ticks,
                                 struct known_inversions *out, csy_error *error);

#endif
