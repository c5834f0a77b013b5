/* The results for drifting clocks in a solution (sync/drift/drift.h). */
#ifndef SYNC_DRIFT_CLOCKS_H
#define SYNC_DRIFT_CLOCKS_H

#include "clock/knots.h"
#include "graph/ageing.h"

/* Errors of the time between clocks (sync/drift/peers.c): for each pair, or relative to the
 * reference. */
struct drift_peers {
    int64_t global[CSY_DRIFT_MOMENTS];
    csy_drift_pair *pairs; /* by s and then t, for s < t; or NULL */
    int128 *widths; /* by moment and then clock, relative to the reference of its component; or
                       NULL */
    size_t worst_s, worst_t;
    bool any; /* at least one pair of clocks is bounded */
};

/* The ages of a clock that the reference bounds on one side only, at its first and last record.
 * after and before: there is a least age, a greatest age; both are false for other clocks. */
struct one_sided {
    bool after, before;
    int128 least[2], greatest[2];
};

struct drift {
    struct points points; /* of one buffer; freed when they are solved */
    uint32_t *order;
    struct pairs pairs;
    struct ageing ageing;
    struct knots *clocks; /* by thread */
    /* The global time of a thread is the age of its clock plus this shift, in parts of AGE_UNIT of
     * local time. */
    int128 *shift;
    csy_drift view;
    csy_drift_clock *views;
    struct one_sided *one_sided; /* by clock */
    bool all_pairs;              /* find walks between clocks even if this takes long */
    struct drift_peers *peers;   /* NULL: not computed yet */
};

/* Free all members and set them to 0. */
void drift_reset(struct drift *drift);
void drift_free(struct drift *drift);
void drift_free_peers(struct drift *drift);

#endif
