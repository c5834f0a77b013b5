/* Chooses one offset for each thread within its bounds, by [BHH08] eq. (9), rounded down. Threads
 * that are unbounded on one side are placed after or before the others. See doc/algorithms.md,
 * Integers and Unbounded pairs. */
#ifndef SYNC_LINE_OFFSETS_H
#define SYNC_LINE_OFFSETS_H

#include "bounds/bounds.h"

/* How to choose offsets. The fraction alpha selects a place between the bounds to thread tau. If
 * `order` is not NULL, center_locally then moves the offsets. */
struct offsets_rule {
    size_t tau;
    csy_fraction alpha;
    const uint32_t *order;
    unsigned workers;
};

/* Set the offset g[t] of all n threads, relative to g[tau] = 0, on the rough timescale. Also set
 * the bounds from[t] = wbar(tau,t) and to[t] = wbar(t,tau). *unbounded gets the number of threads
 * that tau does not limit on both sides. Returns CSY_INPUT if a thread has no limit on either side.
 * This takes O(T W) with a sweep, and O(T^2) with the dense engine. */
csy_status offsets_place(const struct bounds *b, const struct offsets_rule *rule, int64_t *g,
                         int64_t *from, int64_t *to, size_t *unbounded, csy_error *error);

#endif
