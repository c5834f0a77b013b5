/*
 * What a tracer itself took its clocks for, where an archive says so: the time of a thread moved by
 * offsets.
 *
 *   corrected time = time + offset      linear between two readings, and beyond the first and the
 *                                       last one as between the two next to them
 *
 * An offset is rounded to the nearest tick.  Fewer than two readings make no line, and move
 * nothing: so do the readers of such archives.
 */
#ifndef TRACE_TRACER_H
#define TRACE_TRACER_H

#include "base/number.h"

#include <cellsync/cellsync.h>

struct tracer_reading {
    int64_t at_ticks, offset_ticks; /* by the thread's clock */
    double deviation_ticks;         /* how far off that is, by its own word */
};

/* A thread and what the tracer says of its clock. */
struct tracer_thread {
    csy_text thread, clock;                /* as its events have them */
    const struct tracer_reading *readings; /* by their times, of which no two are alike */
    size_t count;
};

/* Whether its corrected time rises, so that it can be told what its clock showed then. */
bool tracer_rises(const struct tracer_thread *thread);

/* The corrected time of a reading of its clock; false where that leaves 128 bits.
 * O(log readings). */
bool tracer_correct(const struct tracer_thread *thread, int64_t local_ticks, int128 *out);

/* What its clock shows at a corrected time, which must rise; to the nearest tick.  The same
 * cost. */
bool tracer_undo(const struct tracer_thread *thread, int128 corrected, int128 *out);

#endif
