/* Clocks that drift: how well they are known in each part of the trace. */
#ifndef ADVICE_DRIFT_COURSE_H
#define ADVICE_DRIFT_COURSE_H

#include "advice/spans.h"

enum { DRIFT_PARTS = 240 };

/* Errors in ticks, rounded up, of the clocks but the reference that are bounded and live in the
 * part, each in its middle, or as near to that as it is live. */
struct drift_part {
    size_t live; /* 0: the others are 0 */
    int64_t least, median, greatest;
    size_t widest; /* the first that has the greatest */
};

/* The errors of each of DRIFT_PARTS equal parts of the trace.  O(parts T log). */
csy_status drift_course(const struct csy_sync *sync, const struct spans *lives,
                        struct drift_part parts[DRIFT_PARTS], csy_error *error);

#endif
