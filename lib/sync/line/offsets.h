/* Chooses one offset for each thread within its bounds, by [BHH08] eq. (9), rounded down. Threads
 * that are unbounded on one side are placed after or before the others. See doc/algorithms.md,
 * Integers and Unbounded pairs. */
#ifndef SYNC_LINE_OFFSETS_H
#define SYNC_LINE_OFFSETS_H

#include "bounds/bounds.h"

/* How to choose offsets: alpha selects a place between the bounds to tau. If order is not NULL,
 * offsets are then moved locally (center_locally). */
struct offsets_rule {
    size_t tau;
    csy_fraction alpha;
    const uint32_t *order;
    unsigned workers;
};

/* Set g[t] relative to g[tau] = 0, between x, for all n threads. Also set from[t] = wbar(tau,t) and
 * to[t] = wbar(t,tau). *unbounded counts the threads that tau does not bound on both sides.
 * CSY_INPUT if a thread is unbounded on both sides. O(T W) with a sweep, O(T^2) dense. */
csy_status offsets_place(const struct bounds *b, const struct offsets_rule *rule, int64_t *g,
                         int64_t *from, int64_t *to, size_t *unbounded, csy_error *error);

#endif
