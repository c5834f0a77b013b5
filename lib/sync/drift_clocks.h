/* What a solution keeps of clocks that drift (sync/drift/drift.h). */
#ifndef SYNC_DRIFT_CLOCKS_H
#define SYNC_DRIFT_CLOCKS_H

#include "clock/knots.h"
#include "graph/ageing.h"

struct drift {
    struct points points; /* of one buffer, until they are solved */
    uint32_t *order;
    struct pairs pairs;
    struct ageing ageing;
    struct knots *clocks; /* by thread */
    int128 *shift;        /* by thread: what is added to its ages for the global time, in parts of
                             AGE_UNIT; of local times */
    csy_drift view;
    csy_drift_clock *views;
    bool *one_sided; /* by clock: the reference bounds it on one side only */
};

/* Free all members and set them to 0. */
void drift_reset(struct drift *drift);
void drift_free(struct drift *drift);

#endif
