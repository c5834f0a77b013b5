/* Chooses one offset for each thread within its bounds, by [BHH08] eq. (9), rounded down. Threads
 * that are unbounded on one side are placed after or before the others. See doc/algorithms.md,
 * Integers and Unbounded pairs. */
#ifndef SYNC_LINE_OFFSETS_H
#define SYNC_LINE_OFFSETS_H

#include "bounds/bounds.h"

/* How to choose the offset of each thread from the reference tau. The offset is at the fraction
 * alpha between its lower and upper bound. If `order` (threads by last event) is not NULL, offsets
 * then move to the middle of the interval that the other offsets permit. */
struct offsets_rule {
    size_t tau;
    csy_fraction alpha;
    const uint32_t *order;
    unsigned workers;
};

/* Choose the offset g[t] of each thread t, for times with rough offsets added (order/rebase.h).
 * The offset g[tau] of the reference is 0. Set -from[t] to the least possible value of g[t], and
 * to[t] to the greatest. *unbounded becomes the number of threads that lack one of these bounds.
 * Returns CSY_INPUT if a thread lacks both. O(T^2) for T threads, or O(T W) with bounds from
 * graph/sweep.h and at most W threads live at once. */
csy_status offsets_place(const struct bounds *b, const struct offsets_rule *rule, int64_t *g,
                         int64_t *from, int64_t *to, size_t *unbounded, csy_error *error);

#endif
