/* Converts between local and global time by the formula
 *
 *   global time = local time + offset of the clock
 *
 * The functions here are for clocks with a constant offset, and need no solution. sync/placement.h
 * extends the formula to solutions. No other module computes the sum. */
#ifndef CLOCK_GLOBAL_H
#define CLOCK_GLOBAL_H

#include "base/number.h"
#include "trace/event.h"
#include "trace/pex/record.h"

/* Convert a local time to global time. The sum cannot overflow. */
static inline int128 placement_global(int64_t offset_ticks, int64_t local_ticks)
{
    return (int128)offset_ticks + local_ticks;
}

static inline int128 placement_local(int64_t offset_ticks, int64_t global_ticks)
{
    return (int128)global_ticks - offset_ticks;
}

/* Returns global time minus rebased time of a clock. A rebased time is the local time plus
 * rebase_ticks, an estimate of the clock's offset (order/rebase.h). */
static inline int64_t placement_shift(int64_t offset_ticks, int128 rebase_ticks)
{
    return (int64_t)(offset_ticks - rebase_ticks);
}

/* Returns the begin of a record as global time. The length of an interval does not change. */
static inline uint64_t placement_begin(const struct record *record, int64_t global_ticks,
                                       int64_t local_ticks)
{
    if (!record->interval)
        return record->begin;
    if (record->spe)
        return (uint64_t)global_ticks - (uint64_t)record_interval_ticks(record);
    return record->begin + (uint64_t)global_ticks - (uint64_t)local_ticks;
}

/* Find the begin of an interval in local and in global time. Other records have no begin, so their
 * own times are used. `global` is true if timestamps in the record are global times. */
static inline void placement_begins(const struct record *record, bool global, int64_t local_ticks,
                                    int64_t global_ticks, int64_t *local_begin,
                                    int64_t *global_begin)
{
    uint64_t begin = !record->interval ? (uint64_t)global_ticks
                     : global          ? record->begin
                                       : placement_begin(record, global_ticks, local_ticks);
    *global_begin = (int64_t)begin;
    *local_begin = (int64_t)(begin - ((uint64_t)global_ticks - (uint64_t)local_ticks));
}

/* Returns the begin of an interval in global time, for a named thread. */
static inline int128 placement_named_begin(const struct named_stamp *stamp, int64_t global_ticks)
{
    return (int128)global_ticks - ((int128)stamp->time_ticks - stamp->begin_ticks);
}

#endif
