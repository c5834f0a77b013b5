/*
 * Points in their order, and what those before each of them say of it: that it is at their times or
 * later, latencies added; or, the other way, what those after it say.
 *
 * Times are start + x, start being one number a clock: with offsets they are global times.
 */
#ifndef ORDER_KNOWN_H
#define ORDER_KNOWN_H

#include "clock/points.h"

/* A clock of which nothing is asked; a point of which nothing is known. */
#define KNOWN_NONE INT64_MIN

/* A point of a clock: the greatest start + lo + latencies of those before it; backwards the
 * greatest latencies - start - hi of those after it. */
typedef csy_status (*known_show)(void *user, uint32_t point, int64_t known, csy_error *error);

/* Show all points but hubs as visit_order has ordered them, or from the last to the first.  start:
 * by clock; show may change it.  CSY_INPUT where a sum leaves 64 bits.  O(points + edges) time, 8
 * bytes a point. */
csy_status known_walk(const struct points *points, const uint32_t *order, bool forwards,
                      const int64_t *start, known_show show, void *user, csy_error *error);

/* What limits say of their points, after a walk: forwards of the earlier ones, start + lo - limit;
 * backwards of the later ones, -limit - start - hi.  Errors as of known_walk. */
csy_status known_limits(const struct points *points, bool forwards, const int64_t *start,
                        known_show show, void *user, csy_error *error);

struct known_inversions {
    uint64_t records;      /* stored ones, whose ends are before what they come after, */
    int64_t largest_ticks; /* by how much at most */
    uint32_t first;        /* a point, the first, that is so by more than is allowed, or NO_POINT */
};

/* Errors and cost as of known_walk. */
csy_status known_find_inversions(const struct points *points, const uint32_t *order,
                                 const int64_t *start, int64_t allowed_ticks,
                                 struct known_inversions *out, csy_error *error);

#endif
