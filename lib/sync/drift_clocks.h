/* The results about drifting clocks in a solution (sync/drift/drift.h). */
#ifndef SYNC_DRIFT_CLOCKS_H
#define SYNC_DRIFT_CLOCKS_H

#include "clock/knots.h"
#include "graph/ageing.h"

/* Errors of the time between clocks at several moments (sync/drift/peers.c). */
struct drift_peers {
    int64_t global[CSY_DRIFT_MOMENTS];
    csy_drift_pair *pairs; /* errors of each pair of clocks s < t, or NULL */
    /* latest minus earliest possible global time, for each element of `global` and each clock; or
     * NULL */
    int128 *widths;
    size_t worst_s, worst_t;
    bool any; /* true if some pair of clocks has both a lower and an upper bound of the time between
               * them */
};

/* Limits of the age (global minus local time) of a clock at its first ([0]) and last record ([1]).
 * `least` is valid if `after` is true, and `greatest` if `before` is true. */
struct one_sided {
    bool after, before;
    int128 least[2], greatest[2];
};

struct drift {
    struct points points; /* records of a trace that has one buffer; freed when the trace is
                           * solved */
    uint32_t *order;
    struct pairs pairs;
    struct ageing ageing;
    struct knots *clocks; /* for each thread: global minus local time of its clock, as a curve */
    /* for each thread: number to add to its ages (global minus local times) in `ageing`, in
     * 1/AGE_UNIT ticks */
    int128 *shift;
    csy_drift view;
    csy_drift_clock *views;
    struct one_sided *one_sided; /* for each clock; used only for clocks that lack a lower or an
                                  * upper limit */
    /* true if the user requested the errors of all pairs of clocks, which may take long */
    bool all_pairs;
    struct drift_peers *peers; /* NULL if not computed yet */
};

/* Convert a time in units of 1/AGE_UNIT ticks to ticks and billionths of a tick. */
static inline csy_fine drift_fine(int128 value)
{
    int128 ticks = floor_div(value, AGE_UNIT);
    return (csy_fine){(int64_t)ticks, (uint32_t)(value - ticks * AGE_UNIT)};
}

/* Free all members and set them to 0. */
void drift_reset(struct drift *drift);
void drift_free_peers(struct drift *drift);

#endif
