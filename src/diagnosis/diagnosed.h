/* Which clocks a diagnosis looks at.  cellsync-model(7), Diagnosis. */
#ifndef DIAGNOSIS_DIAGNOSED_H
#define DIAGNOSIS_DIAGNOSED_H

#include "sync/solution.h"

struct diagnosed {
    size_t n;         /* at most WINDOWS_CLOCKS_MAX */
    uint32_t *clock;  /* by thread; WINDOWS_ABSENT: not looked at */
    uint32_t *thread; /* by clock */
};

/* The reference, those of the witness, and those with most records.  The arrays are the caller's to
 * free, also after an error. */
csy_status diagnosed_choose(struct diagnosed *g, const struct csy_sync *sync, csy_error *error);

#endif
