/*
 * Rough offsets.  Stamps of different clocks differ hugely, so each thread is moved by an offset
 * that puts its first event where the event before it stood: x = time + rough.  Constraints and
 * bounds are kept between such x, which are small; cycle weights do not change by that.
 */
#ifndef GRAPH_ROUGH_H
#define GRAPH_ROUGH_H

#include "base/number.h"

/* |x| stays below this, so that differences of two are walks (graph/minplus.h). */
#define X_MAX ((int64_t)1 << 58)

struct rough {
    int128 *offset; /* by thread */
    size_t count, capacity;
    int64_t previous_x;
};

void rough_fini(struct rough *rough);

/* The x of the next event in buffer order; a thread that is new, the count-th, gets its offset.
 * CSY_INPUT where clocks drift apart beyond X_MAX. */
csy_status rough_place(struct rough *rough, uint32_t thread, int64_t local_ticks, int64_t *x,
                       csy_error *error);

/* The x of an event that has been placed before. */
static inline int64_t rough_x(const struct rough *rough, uint32_t thread, int64_t local_ticks)
{
    return (int64_t)(local_ticks + rough->offset[thread]);
}

#endif
