/* Drifting clocks: their errors in each part of the trace. */
#ifndef ADVICE_DRIFT_COURSE_H
#define ADVICE_DRIFT_COURSE_H

#include "advice/spans.h"

enum { DRIFT_PARTS = 240 };

/* Errors in ticks, rounded up, of bounded clocks that are live in the part, without the reference.
 * Each is taken as near to the middle of the part as the clock is live. */
struct drift_part {
    size_t live; /* 0: the other values are 0, too */
    int64_t least, median, greatest;
    size_t widest; /* the first with the greatest error */
};

/* The errors in DRIFT_PARTS equal parts of the trace. O(parts T log). */
csy_status drift_course(const struct csy_sync *sync, const struct spans *lives,
                        struct drift_part parts[DRIFT_PARTS], csy_error *error);

#endif
