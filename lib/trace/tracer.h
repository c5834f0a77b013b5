/* Clock offsets that the tracer measured, if the archive contains them. They correct the local time
 * of a thread:
 *
 *   corrected time = time + offset
 *
 * The offset is interpolated linearly between two readings and rounded to the nearest tick. Before
 * the first and after the last reading, the line through the two nearest readings is extended. With
 * fewer than two readings the offset is 0, as in other programs that read such archives. */
#ifndef TRACE_TRACER_H
#define TRACE_TRACER_H

#include "base/number.h"

#include <cellsync/cellsync.h>

struct tracer_reading {
    int64_t at_ticks, offset_ticks; /* time and offset, both in ticks of the thread's clock */
    double deviation_ticks;         /* maximum error of the offset in ticks, stated by the tracer */
};

/* A thread and the measured offsets of its clock. */
struct tracer_thread {
    csy_text thread, clock;                /* the names of thread and clock in events */
    const struct tracer_reading *readings; /* at_ticks strictly increase */
    size_t count;
};

/* Returns true if the corrected time increases, so that tracer_undo can invert it. O(readings). */
bool tracer_rises(const struct tracer_thread *thread);

/* Set *out to the corrected time. Returns false on overflow of 128 bits. O(log readings). */
bool tracer_correct(const struct tracer_thread *thread, int64_t local_ticks, int128 *out);

/* Set *out to the local time of a corrected time, rounded to the nearest tick. tracer_rises must be
 * true. Returns false if a value does not fit 128 bits. O(log readings). */
bool tracer_undo(const struct tracer_thread *thread, int128 corrected, int128 *out);

#endif
