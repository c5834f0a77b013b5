/* Chooses one offset for each thread within its bounds, by [BHH08] eq. (9), rounded down. Threads
 * that are unbounded on one side are placed after or before the others. See doc/algorithms.md,
 * Integers and Unbounded pairs. */
#ifndef SYNC_LINE_OFFSETS_H
#define SYNC_LINE_OFFSETS_H

#include "bounds/bounds.h"

/* Offsets are at the fraction alpha between the bounds to the reference tau. If `order` (threads by
 * last event) is not NULL, each then moves to the middle of the range that the others leave. */
struct offsets_rule {
    size_t tau;
    csy_fraction alpha;
    const uint32_t *order;
    unsigned workers;
};

/* Set each thread's offset g[t], relative to its rough offset (order/rebase.h), with g[tau] = 0.
 * Its bounds are -from[t] and to[t]. *unbounded counts threads that lack a bound. Returns CSY_INPUT
 * if one lacks both. O(T W) with a sweep, else O(T^2), for T threads, W live at once. */
csy_status offsets_place(const struct bounds *b, const struct offsets_rule *rule, int64_t *g,
                         int64_t *from, int64_t *to, size_t *unbounded, csy_error *error);

#endif
