/* Computes, for each point, the latest time that earlier points and latencies imply for it.
 * Backwards, it computes what later points imply.
 *
 * Times are start + x, with one start for each clock. If starts are offsets, these are global
 * times. */
#ifndef ORDER_KNOWN_H
#define ORDER_KNOWN_H

#include "clock/points.h"

/* As a start: ignore the clock. As a result: nothing is known about the point. */
#define KNOWN_NONE INT64_MIN

/* Receives a point that is not a hub. known is the greatest start + lo + latencies of the points
 * that precede it. Backwards, it is the greatest latencies - start - hi of the points that
 * follow. */
typedef csy_status (*known_show)(void *user, uint32_t point, int64_t known, csy_error *error);

/* Show all points except hubs in the order of visit_order, or in reverse. start has an entry for
 * each clock, which show may change. CSY_INPUT if a sum exceeds 64 bits. O(points + edges) time, 8
 * bytes a point. */
csy_status known_walk(const struct points *points, const uint32_t *order, bool forwards,
                      const int64_t *start, known_show show, void *user, csy_error *error);

/* Show, after a walk, what each limit implies for its points. Forwards: start + lo - limit for the
 * earlier point. Backwards: -limit - start - hi for the later point. Errors as for known_walk. */
csy_status known_limits(const struct points *points, bool forwards, const int64_t *start,
                        known_show show, void *user, csy_error *error);

struct known_inversions {
    /* number of stored records that end before the time of a preceding point */
    uint64_t records;
    int64_t largest_ticks; /* greatest of these differences */
    uint32_t first;        /* first point whose difference is not allowed, or NO_POINT */
};

/* Find the inversions at these starts. Errors and cost as for known_walk. */
csy_status known_find_inversions(const struct points *points, const uint32_t *order,
                                 const int64_t *start, int64_t allowed_ticks,
                                 struct known_inversions *out, csy_error *error);

#endif
