/* Corrects times by the clock offsets that a tracer measured. */
#include "trace/tracer.h"

#include "base/array.h"

static int128 corrected(const struct tracer_reading *reading)
{
    return (int128)reading->at_ticks + reading->offset_ticks;
}

bool tracer_rises(const struct tracer_thread *thread)
{
    bool rises = true;
    for (size_t i = 1; i < thread->count; i++)
        rises &= corrected(&thread->readings[i - 1]) < corrected(&thread->readings[i]);
    return rises;
}

/* Interpolate at x between (x0, y0) and (x1, y1), x0 < x1, rounded. Returns false on overflow. */
static bool interpolate(int128 x, int128 x0, int128 x1, int128 y0, int128 y1, int128 *out)
{
    int128 by, length = x1 - x0;
    if (__builtin_sub_overflow(x, x0, &by) || __builtin_mul_overflow(by, y1 - y0, &by) ||
        __builtin_add_overflow(by, length / 2, &by))
        return false;
    return !__builtin_add_overflow(y0, floor_div(by, length), out);
}

/* Returns the first of two successive readings: of those around a time or, for a time outside all
 * readings, of those nearest to it. */
static const struct tracer_reading *find(const struct tracer_thread *thread, int128 time,
                                         bool is_corrected)
{
    const struct tracer_reading *readings = thread->readings;
    size_t low = 0, high = thread->count - 2;
    BISECT(low, high, middle,
           (is_corrected ? corrected(&readings[middle + 1]) : readings[middle + 1].at_ticks) <=
               time);
    return &readings[low];
}

bool tracer_correct(const struct tracer_thread *thread, int64_t local_ticks, int128 *out)
{
    int128 offset = 0;
    if (thread->count > 1) {
        const struct tracer_reading *at = find(thread, local_ticks, false);
        if (!interpolate(local_ticks, at[0].at_ticks, at[1].at_ticks, at[0].offset_ticks,
                         at[1].offset_ticks, &offset))
            return false;
    }
    return !__builtin_add_overflow(offset, local_ticks, out);
}

bool tracer_undo(const struct tracer_thread *thread, int128 time, int128 *out)
{
    *out = time;
    if (thread->count < 2)
        return true;
    const struct tracer_reading *at = find(thread, time, true);
    return interpolate(time, corrected(&at[0]), corrected(&at[1]), at[0].at_ticks, at[1].at_ticks,
                       out);
}
