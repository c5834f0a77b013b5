/* The part of a solution about drifting clocks (sync/drift/drift.h). */
#ifndef SYNC_DRIFT_CLOCKS_H
#define SYNC_DRIFT_CLOCKS_H

#include "clock/knots.h"
#include "graph/ageing.h"

/* Errors of the time between clocks (sync/drift/peers.c), either for each pair of clocks, or
 * relative to the reference. */
struct drift_peers {
    int64_t global[CSY_DRIFT_MOMENTS];
    csy_drift_pair *pairs; /* [s][t]: errors of the clocks s < t; or NULL */
    int128 *widths; /* [moment][clock]: width of the bounds to the component's reference; or NULL */
    size_t worst_s, worst_t;
    bool any; /* true if the clocks of at least one pair limit each other */
};

/* Ages at the first and last record of a clock that the reference limits on one side only. The
 * member `after` is true if the clock has a least age, and `before` if it has a greatest age. Both
 * members are false for all other clocks. */
struct one_sided {
    bool after, before;
    int128 least[2], greatest[2];
};

struct drift {
    struct points points; /* points of a trace of one buffer, freed after solving */
    uint32_t *order;
    struct pairs pairs;
    struct ageing ageing;
    struct knots *clocks; /* for each thread: knots of its clock */
    /* for each thread: what to add to the age of its clock to get global time, in parts of AGE_UNIT
     * of local time */
    int128 *shift;
    csy_drift view;
    csy_drift_clock *views;
    struct one_sided *one_sided; /* for each clock: its limits on one side */
    bool all_pairs;              /* true: find walks between clocks even if the search takes long */
    struct drift_peers *peers;   /* NULL if the errors are not computed yet */
};

/* Convert a time in parts of AGE_UNIT to ticks and billionths of a tick. */
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
