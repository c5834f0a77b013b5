/* The part of a solution about drifting clocks (sync/drift/drift.h). */
#ifndef SYNC_DRIFT_CLOCKS_H
#define SYNC_DRIFT_CLOCKS_H

#include "clock/knots.h"
#include "graph/ageing.h"

/* Errors of the time between clocks (sync/drift/peers.c), for each pair or relative to the
 * reference. */
struct drift_peers {
    int64_t global[CSY_DRIFT_MOMENTS];
    csy_drift_pair *pairs; /* [s][t] for s < t; or NULL */
    int128 *widths; /* [moment][clock]: width relative to the reference of its component; or NULL */
    size_t worst_s, worst_t;
    bool any; /* some pair of clocks is bounded */
};

/* Ages at the first and last record of a clock that the reference bounds on one side only. after:
 * the clock has a least age; before: the clock has a greatest age. Both are false for all other
 * clocks. */
struct one_sided {
    bool after, before;
    int128 least[2], greatest[2];
};

struct drift {
    struct points points; /* points of one buffer; freed after solving */
    uint32_t *order;
    struct pairs pairs;
    struct ageing ageing;
    struct knots *clocks; /* knots of each thread's clock */
    /* What to add to the age of a thread's clock to get global time, in parts of AGE_UNIT of local
     * time. */
    int128 *shift;
    csy_drift view;
    csy_drift_clock *views;
    struct one_sided *one_sided; /* one for each clock */
    bool all_pairs;              /* find walks between clocks even if that takes long */
    struct drift_peers *peers;   /* NULL: not computed yet */
};

/* Convert parts of AGE_UNIT to ticks and billionths. */
static inline csy_fine drift_fine(int128 value)
{
    int128 ticks = floor_div(value, AGE_UNIT);
    return (csy_fine){(int64_t)ticks, (uint32_t)(value - ticks * AGE_UNIT)};
}

/* Free all members and set them to 0. */
void drift_reset(struct drift *drift);
void drift_free(struct drift *drift);
void drift_free_peers(struct drift *drift);

#endif
